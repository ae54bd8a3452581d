// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON by one description for both directions, so that a key cannot be written
// and forgotten by the reader. A type has one function,
//
//     template <class Keys>
//     void describe(Keys &Json, Is<FindingPage> auto &Page) {
//       Json.text("module", Page.Module, Empty::Written);
//       Json.hex("address", Page.Address);
//       Json.number("size", Page.Size, Empty::Written);
//     }
//
// which KeyReader and KeyWriter follow. Nothing of another type than it should
// have is read: reports come from strangers.

#ifndef LINESMAN_LIB_REPORT_KEYS_H
#define LINESMAN_LIB_REPORT_KEYS_H

#include "linesman/Report/Document.h"
#include "linesman/Report/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <concepts>
#include <set>

namespace linesman::report {

/// What a description describes: const for the writer.
template <typename T, typename Described>
concept Is = std::same_as<std::remove_const_t<T>, Described>;

/// Whether a key is there when its value is empty, or zero.
enum class Empty : uint8_t { LeftOut, Written };

class KeyReader {
public:
  static constexpr bool IsReader = true;
  explicit KeyReader(const llvm::json::Object &Source) : Source(Source) {}

  bool has(llvm::StringRef Key) const { return Source.get(Key); }
  bool hasText(llvm::StringRef Key) const {
    return Source.getString(Key).has_value();
  }
  bool hasObject(llvm::StringRef Key) const { return Source.getObject(Key); }

  void text(llvm::StringRef Key, std::string &Value, Empty = Empty::LeftOut) {
    Value = find(Key).getString(Key).value_or("").str();
  }
  void place(llvm::StringRef Key, SourcePlace &Value, Empty = Empty::LeftOut) {
    Value = parsePlace(find(Key).getString(Key).value_or(""));
  }
  template <typename T>
  void number(llvm::StringRef Key, T &Value, Empty = Empty::LeftOut) {
    if (std::optional<T> Read = readNumber<T>(Key))
      Value = *Read;
  }
  template <typename T>
  void number(llvm::StringRef Key, std::optional<T> &Value) {
    Value = readNumber<T>(Key);
  }
  template <typename T> void score(llvm::StringRef Key, T &Value) {
    number(Key, Value);
  }
  void flag(llvm::StringRef Key, bool &Value, Empty = Empty::LeftOut) {
    Value = find(Key).getBoolean(Key).value_or(false);
  }
  void hex(llvm::StringRef Key, std::optional<uint64_t> &Value) {
    llvm::StringRef Text = find(Key).getString(Key).value_or("");
    uint64_t Read = 0;
    if (Text.consume_front("0x") && llvm::to_integer(Text, Read, 16))
      Value = Read;
  }
  void hex(llvm::StringRef Key, uint64_t &Value) {
    std::optional<uint64_t> Read;
    hex(Key, Read);
    Value = Read.value_or(0);
  }
  void texts(llvm::StringRef Key, std::vector<std::string> &Values,
             Empty = Empty::LeftOut) {
    visit(Key, [&](const llvm::json::Value &Value) {
      if (std::optional<llvm::StringRef> Text = Value.getAsString())
        Values.push_back(Text->str());
    });
  }
  void texts(llvm::StringRef Key,
             std::optional<std::vector<std::string>> &Values) {
    if (find(Key).getArray(Key))
      texts(Key, Values.emplace());
  }
  void places(llvm::StringRef Key, std::vector<SourcePlace> &Values) {
    visit(Key, [&](const llvm::json::Value &Value) {
      if (std::optional<llvm::StringRef> Text = Value.getAsString())
        Values.push_back(parsePlace(*Text));
    });
  }
  template <typename T>
  void object(llvm::StringRef Key, std::optional<T> &Value) {
    if (const llvm::json::Object *Inner = find(Key).getObject(Key)) {
      KeyReader Keys(*Inner);
      describe(Keys, Value.emplace());
    }
  }
  template <typename T>
  void objects(llvm::StringRef Key, std::vector<T> &Values,
               Empty = Empty::LeftOut) {
    visit(Key, [&](const llvm::json::Value &Value) {
      if (const llvm::json::Object *Inner = Value.getAsObject()) {
        KeyReader Keys(*Inner);
        describe(Keys, Values.emplace_back());
      }
    });
  }
  template <typename T>
  void objects(llvm::StringRef Key, std::optional<std::vector<T>> &Values) {
    if (find(Key).getArray(Key))
      objects(Key, Values.emplace());
  }
  /// An object whose keys belong to what is around it.
  template <typename Function>
  void inside(llvm::StringRef Key, Function Describe) {
    if (const llvm::json::Object *Inner = find(Key).getObject(Key)) {
      KeyReader Keys(*Inner);
      Describe(Keys);
    }
  }

  /// What nobody asked for.
  llvm::json::Object unknown() const {
    llvm::json::Object Result;
    for (const auto &[Key, Value] : Source)
      if (!Asked.count(Key.str()))
        Result[Key] = Value;
    return Result;
  }

private:
  const llvm::json::Object &Source;
  std::set<std::string> Asked;

  const llvm::json::Object &find(llvm::StringRef Key) {
    Asked.insert(Key.str());
    return Source;
  }
  template <typename T> std::optional<T> readNumber(llvm::StringRef Key) {
    find(Key);
    if constexpr (std::is_floating_point_v<T>) {
      return Source.getNumber(Key);
    } else {
      std::optional<int64_t> Read = Source.getInteger(Key);
      return Read ? std::optional<T>(T(*Read)) : std::nullopt;
    }
  }
  void visit(llvm::StringRef Key,
             llvm::function_ref<void(const llvm::json::Value &)> Read) {
    if (const llvm::json::Array *Values = find(Key).getArray(Key))
      for (const llvm::json::Value &Value : *Values)
        Read(Value);
  }
};

class KeyWriter {
public:
  static constexpr bool IsReader = false;
  explicit KeyWriter(llvm::json::OStream &Json) : Json(Json) {}

  void text(llvm::StringRef Key, llvm::StringRef Value,
            Empty Kept = Empty::LeftOut) {
    // ELF names are bytes; JSON wants UTF-8.
    if (!Value.empty() || Kept == Empty::Written)
      Json.attribute(Key, llvm::json::fixUTF8(Value));
  }
  void place(llvm::StringRef Key, const SourcePlace &Value,
             Empty Kept = Empty::LeftOut) {
    text(Key, placeText(Value), Kept);
  }
  template <typename T>
  void number(llvm::StringRef Key, const T &Value,
              Empty Kept = Empty::LeftOut) {
    if (Value == T() && Kept == Empty::LeftOut)
      return;
    if constexpr (!std::is_floating_point_v<T>)
      Json.attribute(Key, int64_t(Value));
    else if (std::isfinite(Value))
      Json.attribute(Key, Value);
    else
      Json.attribute(Key, nullptr); // JSON has no infinity.
  }
  template <typename T>
  void number(llvm::StringRef Key, const std::optional<T> &Value) {
    if (Value)
      number(Key, *Value, Empty::Written);
  }
  void score(llvm::StringRef Key, double Value) {
    writeScore(Key, Value, Json);
  }
  void score(llvm::StringRef Key, const std::optional<double> &Value) {
    if (Value)
      score(Key, *Value);
  }
  void flag(llvm::StringRef Key, bool Value, Empty Kept = Empty::LeftOut) {
    if (Value || Kept == Empty::Written)
      Json.attribute(Key, Value);
  }
  void hex(llvm::StringRef Key, uint64_t Value) {
    Json.attribute(Key, "0x" + llvm::utohexstr(Value, /*LowerCase=*/true));
  }
  void hex(llvm::StringRef Key, const std::optional<uint64_t> &Value) {
    if (Value)
      hex(Key, *Value);
  }
  void texts(llvm::StringRef Key, const std::vector<std::string> &Values,
             Empty Kept = Empty::LeftOut) {
    if (!Values.empty() || Kept == Empty::Written)
      Json.attributeArray(Key, [&] {
        for (const std::string &Value : Values)
          Json.value(llvm::json::fixUTF8(Value));
      });
  }
  void texts(llvm::StringRef Key,
             const std::optional<std::vector<std::string>> &Values) {
    if (Values)
      texts(Key, *Values, Empty::Written);
  }
  void places(llvm::StringRef Key, const std::vector<SourcePlace> &Values) {
    Json.attributeArray(Key, [&] {
      for (const SourcePlace &Value : Values)
        Json.value(llvm::json::fixUTF8(placeText(Value)));
    });
  }
  template <typename T>
  void object(llvm::StringRef Key, const std::optional<T> &Value) {
    if (Value)
      Json.attributeObject(Key, [&] { describe(*this, *Value); });
  }
  template <typename T>
  void objects(llvm::StringRef Key, const std::vector<T> &Values,
               Empty Kept = Empty::LeftOut) {
    if (!Values.empty() || Kept == Empty::Written)
      Json.attributeArray(Key, [&] {
        for (const T &Value : Values)
          Json.object([&] { describe(*this, Value); });
      });
  }
  template <typename T>
  void objects(llvm::StringRef Key,
               const std::optional<std::vector<T>> &Values) {
    if (Values)
      objects(Key, *Values, Empty::Written);
  }
  template <typename Function>
  void inside(llvm::StringRef Key, Function Describe) {
    Json.attributeObject(Key, [&] { Describe(*this); });
  }

private:
  llvm::json::OStream &Json;
};

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_KEYS_H
