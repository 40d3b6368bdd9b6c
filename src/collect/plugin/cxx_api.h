/* What the plugin asks the front end of C++, in whose language the trees of templates are. */
#ifndef CGVIEW_PLUGIN_CXX_API_H
#define CGVIEW_PLUGIN_CXX_API_H

bool cxx_is_front_end(void);

/* The rest is for that front end only. */

/* The arguments of a template that DECL, a declaration or type, is an instance of, or is within;
 * NULL_TREE: none. */
tree cxx_arguments(tree decl);
/* Is ARGUMENT a pack of arguments? Then cxx_pack() is the vector of these. */
bool cxx_is_pack(tree argument);
tree cxx_pack(tree argument);
/* Is TYPE a class or enumeration without a name, or of a lambda? */
bool cxx_is_unnamed(tree type);
bool cxx_points_to_method(tree type);
/* The name of DECL, a procedure, as the compiler prints it, with what tells it from other instances
 * of its template, valid until the next call. */
const char *cxx_name(tree decl);

#endif
