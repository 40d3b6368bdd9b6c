/* Clang says in its own way that it builds with a sanitizer; from here on it does as GCC does. */
#ifndef CGVIEW_UTIL_SANITIZER_H
#define CGVIEW_UTIL_SANITIZER_H

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#endif
