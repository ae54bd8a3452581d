// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which pointers may hold the address of a static object?
//
//     Node nil;
//     Ref() : p(&nil) {}                      nil -> Ref::p
//     void attach(Ref &r) { link(r.p); }      Ref::p -> link's parameter
//
// Subset constraints over slots (Andersen's analysis), fields of all objects of
// a type taken together, this unit only. Only static records are propagated and
// they are few, so a unit of ten thousand functions costs milliseconds. An
// address that a test of identity keeps out (p != &nil, then link(p)) does not
// flow: that is what separates a sentinel's user from its victim.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSFLOW_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSFLOW_H

#include "Analysis/Addresses/AddressSources.h"
#include "Analysis/Addresses/IdentityGuard.h"
#include "Analysis/Code/UnitCode.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace linesman::tidy {

class AddressFlow {
public:
  /// \p Code and \p Guard outlive this.
  AddressFlow(const UnitCode &Code, IdentityGuard &Guard);

  /// The static objects whose address the expression may give, by name or
  /// through slots, tests of identity around the expression not considered.
  llvm::SmallVector<const clang::VarDecl *, 2>
  objectsOf(const clang::Expr &E, const clang::FunctionDecl *Function) const;
  bool mayHold(const clang::Expr &E, const clang::FunctionDecl *Function,
               const clang::VarDecl &Object) const {
    return mayHold(E, Function, Object, Arrivals);
  }

  /// Where an address went on its way.
  struct Step {
    Slot Target;
    /// The name of the object, or of the slot before, in the code.
    const clang::Expr *Leaf = nullptr;
  };
  /// The way of the object's address into the expression, the place where it is
  /// taken first.
  llvm::SmallVector<Step, 4> wayTo(const clang::Expr &E,
                                   const clang::FunctionDecl *Function,
                                   const clang::VarDecl &Object) const;

  /// A slot that is never given anything but this object is another name of it.
  bool holdsNothingElse(Slot Asked, const clang::VarDecl &Object) const;

private:
  class Collector;

  struct Edge {
    AddressSource Source;
    Slot Target;
    const clang::FunctionDecl *Function = nullptr;
  };
  struct Arrival {
    const clang::VarDecl *Object = nullptr;
    unsigned ByEdge = 0;
  };
  using ArrivalMap = llvm::DenseMap<Slot, llvm::SmallVector<Arrival, 2>>;

  void addEdge(Edge New);
  void addEdges(const clang::Expr &Value, Slot Target,
                const clang::FunctionDecl *Function);
  void linkSlots(Slot Source, Slot Target, const clang::Expr &Leaf,
                 const clang::FunctionDecl *Function);
  void arrive(Slot Place, const clang::VarDecl &Object, unsigned ByEdge);
  void follow(unsigned EdgeIndex, const clang::VarDecl &Object);
  void readFunctionOf(Slot Parameter);
  void solve();
  void refine();
  static const Arrival *findArrival(Slot Place, const clang::VarDecl &Object,
                                    const ArrivalMap &Known);
  static bool mayHold(const clang::Expr &E, const clang::FunctionDecl *Function,
                      const clang::VarDecl &Object, const ArrivalMap &Known);

  IdentityGuard &Guard;
  std::vector<Edge> Edges;
  llvm::DenseMap<Slot, llvm::SmallVector<unsigned, 4>> EdgesFrom;
  ArrivalMap Arrivals;
  /// While refining, what arrived when nothing was known of assigned values.
  ArrivalMap Most;
  bool IsRefining = false;
  bool DependsOnValues = false;
  /// Slots that something without a source (new, a table's element, the result
  /// of a function) was assigned to.
  llvm::DenseSet<Slot> HoldUnknown;
  llvm::DenseSet<const clang::FunctionDecl *> Read;
  std::vector<std::pair<Slot, const clang::VarDecl *>> Pending;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSFLOW_H
