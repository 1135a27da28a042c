/* In place of libffi, through which a host's functions are called: a page registers none; and of a call that emscripten has under
 * another name. */
#include <ffi.h>
#include <sys/random.h>
#include <unistd.h>

ffi_type ffi_type_void, ffi_type_pointer, ffi_type_double, ffi_type_sint64, ffi_type_uint32, ffi_type_uint8;

ffi_status ffi_prep_cif(ffi_cif *cif, ffi_abi abi, unsigned int count, ffi_type *result, ffi_type **arguments) {
    (void)cif, (void)abi, (void)count, (void)result, (void)arguments;
    return FFI_BAD_ABI;
}

void ffi_call(ffi_cif *cif, void (*function)(void), void *result, void **arguments) {
    (void)cif, (void)function, (void)result, (void)arguments;
}

ssize_t getrandom(void *out, size_t size, unsigned flags) {
    (void)flags;
    return getentropy(out, size) == 0 ? (ssize_t)size : -1;
}
