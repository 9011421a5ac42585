// SPDX-License-Identifier: MIT
#pragma once
#include <pthread.h>
#include <signal.h>
#include <uv.h>

// SIG_IGN is a macro with a cast.
static inline void cuv_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }

// libuv 1.44 can neither detach nor name a thread.
static inline void cuv_thread_detach(uv_thread_t thread) { pthread_detach(thread); }
#ifdef __linux__
int pthread_setname_np(pthread_t, const char *);
static inline void cuv_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
#else
static inline void cuv_name_thread(const char *name) { pthread_setname_np(name); }
#endif

// ThreadSanitizer's own functions; absent without it.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));
static inline void cuv_lock_acquired(void *lock) { if (__tsan_acquire) __tsan_acquire(lock); }
static inline void cuv_lock_released(void *lock) { if (__tsan_release) __tsan_release(lock); }
