/* Node-API and libuv as far as they are used here: no headers of Node's are at hand where this is compiled, and both
 * are stable (nodejs.org/api/n-api.html, docs.libuv.org). All of it is weak: programs that Node starts load this too.
 */
#ifndef FAILSAME_NODE_H
#define FAILSAME_NODE_H

#include <stddef.h>
#include <stdint.h>

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
typedef struct napi_callback_info__ *napi_callback_info;
typedef napi_value (*napi_callback)(napi_env, napi_callback_info);

typedef struct napi_handle_scope__ *napi_handle_scope;
typedef struct napi_ref__ *napi_ref;

int napi_close_handle_scope(napi_env env, napi_handle_scope scope);
int napi_create_array(napi_env env, napi_value *result);
int napi_create_buffer_copy(napi_env env, size_t length, const void *data, void **copy, napi_value *result);
int napi_create_function(napi_env env, const char *name, size_t length, napi_callback run, void *data,
                         napi_value *result);
int napi_create_int32(napi_env env, int32_t value, napi_value *result);
int napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref *result);
int napi_get_cb_info(napi_env env, napi_callback_info info, size_t *count, napi_value *values, napi_value *self,
                     void **data);
int napi_get_global(napi_env env, napi_value *result);
int napi_get_null(napi_env env, napi_value *result);
int napi_get_reference_value(napi_env env, napi_ref reference, napi_value *result);
int napi_get_uv_event_loop(napi_env env, void **loop);
int napi_get_value_int32(napi_env env, napi_value value, int32_t *result);
int napi_make_callback(napi_env env, void *context, napi_value self, napi_value function, size_t count,
                       const napi_value *values, napi_value *result);
int napi_open_handle_scope(napi_env env, napi_handle_scope *scope);
int napi_set_element(napi_env env, napi_value array, uint32_t index, napi_value value);
int napi_set_named_property(napi_env env, napi_value object, const char *name, napi_value value);
size_t uv_handle_size(int kind);
int uv_idle_init(void *loop, void *idle);
int uv_idle_start(void *idle, void (*each_turn)(void *idle));
int uv_idle_stop(void *idle);
int uv_loop_alive(const void *loop);
int uv_loop_fork(void *loop);
int uv_prepare_init(void *loop, void *prepare);
int uv_prepare_start(void *prepare, void (*before_waiting)(void *prepare));
void uv_ref(void *handle);
void uv_unref(void *handle);
#pragma weak napi_close_handle_scope
#pragma weak napi_create_array
#pragma weak napi_create_buffer_copy
#pragma weak napi_create_function
#pragma weak napi_create_int32
#pragma weak napi_create_reference
#pragma weak napi_get_cb_info
#pragma weak napi_get_global
#pragma weak napi_get_null
#pragma weak napi_get_reference_value
#pragma weak napi_get_uv_event_loop
#pragma weak napi_get_value_int32
#pragma weak napi_make_callback
#pragma weak napi_open_handle_scope
#pragma weak napi_set_element
#pragma weak napi_set_named_property
#pragma weak uv_handle_size
#pragma weak uv_idle_init
#pragma weak uv_idle_start
#pragma weak uv_idle_stop
#pragma weak uv_loop_alive
#pragma weak uv_loop_fork
#pragma weak uv_prepare_init
#pragma weak uv_prepare_start
#pragma weak uv_ref
#pragma weak uv_unref

#endif
