// SPDX-License-Identifier: MIT
#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/rand.h>
#include <openssl/hmac.h>

// Function-like macros and variadic functions, which Swift does not import.

static inline int offhook_ssl_ctx_require_tls12(SSL_CTX *context) {
    return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline void offhook_ssl_ctx_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context,
                     SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

static inline int offhook_ssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline EVP_PKEY *offhook_generate_p256(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

static inline void offhook_bio_set_no_eof(BIO *bio) {
    BIO_set_mem_eof_return(bio, -1);
}

static inline long offhook_bio_contents(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

static inline void offhook_bio_reset(BIO *bio) {
    (void)BIO_reset(bio);
}

static inline void offhook_x509v3_set_issuer(X509V3_CTX *context, X509 *certificate) {
    X509V3_set_ctx_nodb(context);
    X509V3_set_ctx(context, certificate, certificate, NULL, NULL, 0);
}

static inline int offhook_error_reason(unsigned long code) {
    return ERR_GET_REASON(code);
}
