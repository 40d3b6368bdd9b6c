#ifndef CENTRES_H
#define CENTRES_H

#ifdef __cplusplus
extern "C" {
#endif
void burn(int units);
void burn_around(void (*callback)(void), int units);
void burn_with_signal(int units);
void in_library(void);
#ifdef __cplusplus
}
#endif

#define NOINLINE __attribute__((noinline))

#endif
