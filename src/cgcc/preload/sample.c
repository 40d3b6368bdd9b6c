/* All that lib/cgview/libcgview_sample.so has beside the runtime, which cgcc links to it: record
 * preloads it into programs that were not built with cgcc, for the samples. */
void __cgview_preloaded(void);

void
__cgview_preloaded(void)
{
}
