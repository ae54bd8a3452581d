// One thread goes on with a hash that it has begun, another one begins and ends
// hashes with the same method.

#include "pair.h"
#include <openssl/evp.h>

int main(int Argc, char **Argv) {
  EVP_MD *Method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX *Long = EVP_MD_CTX_new();
  if (!Method || !EVP_DigestInit_ex(Long, Method, nullptr))
    return 1;
  std::fprintf(stderr, "method at %p\n", static_cast<void *>(Method));

  static const char Text[] = "sixteen letters.";
  return measurePair(
      Argc, Argv, "update", [=](uint64_t) { EVP_DigestUpdate(Long, Text, 16); },
      "digest",
      [=](uint64_t) {
        unsigned char Hash[EVP_MAX_MD_SIZE];
        EVP_MD_CTX *Short = EVP_MD_CTX_new();
        EVP_DigestInit_ex(Short, Method, nullptr);
        EVP_DigestUpdate(Short, Text, 16);
        EVP_DigestFinal_ex(Short, Hash, nullptr);
        EVP_MD_CTX_free(Short);
      });
}
