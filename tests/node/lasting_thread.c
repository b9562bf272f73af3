/* An addon for Node that starts a thread which never ends, as SDKs with a runtime of their own do. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;

static void *last(void *argument) {
    for (;;)
        pause();
    return argument;
}

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    pthread_t thread;
    (void)env;
    pthread_create(&thread, NULL, last, NULL);
    return exports;
}
