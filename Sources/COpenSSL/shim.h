// SPDX-License-Identifier: Apache-2.0

// OpenSSL 3 deprecates its direct functions in favour of EVP, which reads a configuration file and allocates
// memory for each hash. This selects the declarations of 1.1 without the warning.
#define OPENSSL_API_COMPAT 0x10100000L

#include <openssl/sha.h>
#include <openssl/evp.h>
