// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Head.h"

using namespace llvm;

namespace linesman::guard {

json::Object makeHead(StringRef Command) {
  return json::Object{
      {"schema", 1}, {"tool", "linesman"}, {"command", Command}};
}

void writeHead(StringRef Command, json::OStream &Json) {
  Json.attribute("schema", 1);
  Json.attribute("tool", "linesman");
  Json.attribute("command", Command);
}

std::string headText(StringRef Command) {
  return ("\"schema\": 1, \"tool\": \"linesman\", \"command\": \"" + Command +
          "\"")
      .str();
}

} // namespace linesman::guard
