// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From ranked lines, with indices into the image, to findings with names.

#include "DescribeFindings.h"
#include "LinePicture.h"
#include "MemberUses.h"
#include "Sites.h"
#include "linesman/Guard/Text.h"
#include <cassert>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// Sites of one occupant. A lock of a large program has thousands, which made
/// tens of megabytes.
constexpr size_t SitesInFinding = 16;

using Names = std::vector<std::string>;

class FindingDescriber {
public:
  explicit FindingDescriber(const LayoutReport &Report)
      : Report(Report), Image(Report.Image) {}

  Finding describe(const LineFinding &Found) const;
  FindingOccupant describe(const LineOccupant &Place) const;
  FindingOccupant describeWithoutSites(const LineOccupant &Place) const;

private:
  const LayoutReport &Report;
  const layout::Image &Image;

  std::optional<Names> roleNames(ArrayRef<RoleIndex> Roles) const;
  int64_t objectOffset(LinkAddress Address, OccupantIndex Occupant) const;
  FindingSubject subject(const LineFinding &Found,
                         const VariableHazard &About) const;
  FindingSubject subject(const LineFinding &Found,
                         const FieldHazard &About) const;
  void placeIn(const LinkedScene &Scene, const LineOccupant &Place,
               const std::optional<MemberUses> &Members,
               FindingOccupant &Described) const;
  void placeIn(const ObjectScene &Scene, const LineOccupant &Place,
               const std::optional<MemberUses> &Members,
               FindingOccupant &Described) const;
  FindingObject describeObject(OccupantIndex Occupant) const;
  void addMembers(const Symbol &Object, const MemberUses &Members,
                  FindingOccupant &Described) const;
  FindingSite describeSite(const Site &Touching) const;
};

std::optional<Names>
FindingDescriber::roleNames(ArrayRef<RoleIndex> Roles) const {
  if (!Report.Accesses.knowsThreads())
    return std::nullopt;
  Names Result;
  for (RoleIndex Index : Roles)
    Result.push_back(roleName(Report.Accesses.roles()[Index]));
  return Result;
}

/// From the object's begin; the line may begin before it.
int64_t FindingDescriber::objectOffset(LinkAddress Address,
                                       OccupantIndex Occupant) const {
  return int64_t(Address.Value) -
         int64_t(Image.sectionOf(Occupant).Range.Begin.Value);
}

FindingSubject FindingDescriber::subject(const LineFinding &Found,
                                         const VariableHazard &About) const {
  VariableSubject Subject;
  Subject.Line = describeLine(Report, Found.Line, Found.Occupants);
  Subject.LikeLines = Found.Lines;
  Subject.MeetBy = word(About.Meeting);
  if (About.BehindLock)
    Subject.BehindLock = nameAt(Report, {About.BehindLock});
  return Subject;
}

FindingSubject FindingDescriber::subject(const LineFinding &Found,
                                         const FieldHazard &About) const {
  const TypeScene &Scene = *std::get<ObjectScene>(Report.Scene).Types;
  const AccessedType &Type = Scene.Types[About.Type];
  FieldSubject Subject;
  Subject.Member = About.Member;
  Subject.Type = Type.Name;
  Subject.Size = Type.Size;
  Subject.Alignment = Type.Alignment;
  if (const auto &Layout = Scene.Layouts[About.Type])
    Subject.Defined = parsePlace(Layout->Source);
  Subject.IsSynchronised = About.IsSynchronised;
  Subject.IsArray = About.IsArray;
  Subject.Group = About.Group;
  Subject.BreaksGroup = About.BreaksGroup;
  Subject.Phases = About.Phases;
  Subject.Partner = About.Partner;
  Subject.SharedPhases = About.Shared;
  Subject.Line.emplace().Offset = objectOffset(
      Report.Lines.range(Found.Line).Begin, Found.Occupants.front().Occupant);
  return Subject;
}

Finding FindingDescriber::describe(const LineFinding &Found) const {
  assert(!Found.Occupants.empty() && "a line of nothing");
  Finding Result;
  Result.Id = Found.Id;
  Result.Reached = Found.Reached;
  Result.Kind = word(Found.Kind);
  Result.Score = Found.score();
  Result.Parts = {Found.Points.True, Found.Points.Between, Found.Points.Within};
  Result.About = std::visit(
      [&](const auto &About) { return subject(Found, About); }, Found.About);
  Result.Marks = accessMarks(Report, Found.Line, Found.Occupants);
  for (const LineOccupant &Place : Found.Occupants)
    Result.Occupants.push_back(describe(Place));
  Result.Remedy = {word(Found.Cure.Kind).str(), Found.Cure.Text, {}};
  for (uint32_t Symbol : Found.Cure.Symbols)
    Result.Remedy->Symbols.push_back(Image.symbols()[Symbol].name().str());
  return Result;
}

FindingObject FindingDescriber::describeObject(OccupantIndex Occupant) const {
  const Symbol &Object = Image.symbol(Occupant);
  FindingObject Result;
  Result.Address = Object.Address.Value;
  Result.Size = Object.Size;
  if (Object.File)
    Result.File = Image.files()[Object.File];
  if (Object.Origin == SymbolOrigin::Startup)
    Result.Origin = "startup-file";
  if (Object.Origin == SymbolOrigin::CopyRelocation)
    Result.Origin = "copy-relocation";
  if (Object.Origin == SymbolOrigin::Anonymous)
    Result.Origin = "anonymous";
  for (const Symbol *Alias : Image.aliases(Occupant))
    Result.Aliases.push_back(Alias->name().str());
  return Result;
}

void FindingDescriber::placeIn(const LinkedScene &, const LineOccupant &Place,
                               const std::optional<MemberUses> &Members,
                               FindingOccupant &Described) const {
  if (Members)
    Described.Member = Members->Around;
  Described.Address = Place.Range.Begin.Value;
  if (Image.occupants()[Place.Occupant].Kind == OccupantKind::Object)
    Described.Object = describeObject(Place.Occupant);
}

void FindingDescriber::placeIn(const ObjectScene &Scene,
                               const LineOccupant &Place,
                               const std::optional<MemberUses> &,
                               FindingOccupant &Described) const {
  Described.Offset = objectOffset(Place.Range.Begin, Place.Occupant);
  if (const Occupant &Field = Image.occupants()[Place.Occupant];
      Field.Kind == OccupantKind::Object)
    Described.Member = Scene.Types->Fields[Field.Symbol].Name;
}

void FindingDescriber::addMembers(const Symbol &Object,
                                  const MemberUses &Members,
                                  FindingOccupant &Described) const {
  Described.Members.emplace();
  for (const MemberUse &Use : Members.Members) {
    FindingMember &Member = Described.Members->emplace_back();
    Member.Path = Use.Touched.Path;
    Member.Address = (Object.Address + Use.Touched.Bytes.Begin).Value;
    Member.Size = Use.Touched.Bytes.End - Use.Touched.Bytes.Begin;
    if (Use.Touched.Bits)
      Member.FirstBit = Use.Touched.FirstBit;
    Member.Bits = Use.Touched.Bits;
    Member.Reads = Use.Reads;
    Member.Writes = Use.Writes;
    Member.Atomics = Use.Atomics;
  }
  for (const MemberArray &Array : Members.Arrays)
    Described.Arrays.push_back(
        {Array.Path, Array.Elements, Array.Stride,
         double(Report.Lines.blockSize()) / double(Array.Stride)});
}

FindingSite FindingDescriber::describeSite(const Site &Touching) const {
  FindingSite Result;
  Result.Function = Touching.Function;
  Result.Place = parsePlace(Touching.Source);
  if (Touching.Instruction.Value)
    Result.Instruction = Touching.Instruction.Value;
  for (const Frame &Outer : Touching.InlinedInto)
    Result.InlinedInto.push_back(
        {guard::demangle(Outer.Function),
         parsePlace(sourceText(Outer.File, Outer.Line))});
  Result.Way = Touching.Way;
  Result.HandedOn = parsePlace(Touching.HandedOn);
  Result.IsMay = Touching.IsMay;
  Result.Access = word(Touching.Kind);
  Result.Touches = Touching.Members;
  Result.Weight = Touching.Weight;
  Result.Role =
      word(Touching.isStartUp() ? RoleKind::StartUp : RoleKind::Concurrent);
  Result.Roles = roleNames(Touching.RunBy);
  return Result;
}

FindingOccupant
FindingDescriber::describeWithoutSites(const LineOccupant &Place) const {
  FindingOccupant Result;
  Result.Symbol = Image.label(Place.Occupant);
  Result.Name = displayName(Image, Place.Occupant);
  Result.Size = Place.Range.size();
  std::optional<MemberUses> Members = findMemberUses(Report, Place);
  std::visit([&](const auto &Scene) { placeIn(Scene, Place, Members, Result); },
             Report.Scene);
  if (Place.Object)
    Result.Defined = parsePlace(definitionText(Report, *Place.Object));
  Result.HasWeights = true;
  static_cast<AccessWeights &>(Result) = Place;
  Users Roles = findUsers(Report, Place);
  Result.WrittenBy = roleNames(Roles.Writers);
  Result.ReadBy = roleNames(Roles.Readers);
  if (Members)
    addMembers(Image.symbols()[Place.Object->Symbol], *Members, Result);
  return Result;
}

FindingOccupant FindingDescriber::describe(const LineOccupant &Place) const {
  FindingOccupant Result = describeWithoutSites(Place);
  std::vector<Site> Sites = findSites(Report, Place);
  if (Report.List != LineList::All)
    Result.MoreSites = dropSites(Sites, SitesInFinding);
  for (const Site &Touching : Sites)
    Result.Sites.push_back(describeSite(Touching));
  return Result;
}

} // namespace

Finding describeFinding(const LayoutReport &Report, const LineFinding &Found) {
  return FindingDescriber(Report).describe(Found);
}

FindingLine describeLine(const LayoutReport &Report, LineIndex Line,
                         ArrayRef<LineOccupant> Occupants) {
  LinkAddress Begin = Report.Lines.range(Line).Begin;
  FindingLine Result;
  Result.Address = Begin.Value;
  Result.Section = Report.Image.sectionOf(Occupants.front().Occupant).Name;
  Result.Page = Report.Pages.range(Report.Pages.indexOf(Begin)).Begin.Value;
  return Result;
}

FindingOccupant describeOccupant(const LayoutReport &Report,
                                 const LineOccupant &Place,
                                 std::optional<uint64_t> SitesAs) {
  FindingDescriber Describer(Report);
  if (!SitesAs)
    return Describer.describe(Place);
  FindingOccupant Result = Describer.describeWithoutSites(Place);
  Result.SitesAs = SitesAs;
  return Result;
}

std::vector<Finding> describeFindings(const LayoutReport &Report) {
  std::vector<Finding> Result;
  for (const LineFinding &Found : Report.Findings)
    Result.push_back(describeFinding(Report, Found));
  return Result;
}

} // namespace linesman::report
