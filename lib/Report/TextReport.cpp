// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report for a terminal:
//
//     1. Node<int>::nil_root                  mixed, score 6, located
//        line 0x4040 in .bss, page 0x4000
//
//        0x4040       AAAAAAAAAAAAAAAAAAAAAAAABBBB----
//                     ........wwwwwwww........rrrr....
//
//        A  +0   24  Node<int>::nil_root                   writes 3
//                      written: back; no known access: key, level
//                      write  1     Ref::operator=(Ref&&)          tree.h:41
//        B  +24   4  log_level                             reads 3
//                      read   3     Shard::run()                   store.cpp:60
//
//        defined at tree.h:17 (A), log.cpp:3 (B)
//        isolate: ...

#include "LinePicture.h"
#include "MemberUses.h"
#include "Sites.h"
#include "UseTexts.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// Sites of one occupant: what a reader takes in at a glance. JSON has more.
constexpr size_t SitesInText = 6;
/// Characters of a function's name, and of the way of an address.
constexpr size_t MostOfWay = 100;
/// Occupants of one line that are described, and those that are named as losing
/// the line: flags of one byte are 64.
constexpr size_t MostOccupants = 12, MostVictims = 16;
/// Occupants of one line that are named without being accessed.
constexpr size_t MostBystanders = 4;
/// Members that are named, of those with one kind of access; and of a site.
constexpr size_t MostMembers = 8, MostSiteMembers = 3;
/// Roles that are named.
constexpr size_t MostRoles = 5;
/// Definitions that are named.
constexpr size_t MostDefinitions = 4;

/// "written: back; read: key, level; no known access: next"
std::string memberSummary(const MemberUses &Uses) {
  std::vector<std::string> Written, Atomic, Read, Others;
  for (const MemberUse &Use : Uses.Members) {
    if (Use.Writes > 0)
      Written.push_back(Use.Touched.Path);
    if (Use.Atomics > 0)
      Atomic.push_back(Use.Touched.Path);
    if (Use.Reads > 0)
      Read.push_back(Use.Touched.Path);
    if (!Use.isUsed())
      Others.push_back(Use.Touched.Path);
  }
  // All accesses are of the whole.
  if (Written.empty() && Atomic.empty() && Read.empty() && Others.size() == 1 &&
      !Uses.HasSomewhere)
    return "";
  std::string Text;
  auto Add = [&](StringRef Word, ArrayRef<std::string> Names) {
    if (!Names.empty())
      Text += formatv("{0}{1}: {2}", Text.empty() ? "" : "; ", Word,
                      listed(Names, MostMembers));
  };
  Add("written", Written);
  Add("atomic", Atomic);
  Add("read", Read);
  Add(Uses.HasSomewhere ? "somewhere in" : "no known access", Others);
  return Text;
}

class TextWriter {
public:
  TextWriter(const LayoutReport &Report, raw_ostream &OS)
      : Report(Report), Image(Report.Image), OS(OS) {}

  void write() {
    writeSummary();
    if (!Report.Doubt.empty())
      writeWrapped("note: " + Report.Doubt.str(), 0, Report.Columns, OS);
    for (size_t I = 0; I != Report.Findings.size(); ++I)
      writeFinding(I);
    if (Report.Hidden)
      OS << '\n'
         << plural(Report.Hidden, "more finding") << "; --top=N shows more\n";
    if (Report.Accepted)
      OS << '\n'
         << plural(Report.Accepted, "accepted finding") << " not shown\n";
    if (Report.List != LineList::None)
      writeLines();
    for (const std::string &Note : Report.Notes) {
      if (Note == Report.Doubt)
        continue;
      OS << '\n';
      writeWrapped("note: " + Note, 0, Report.Columns, OS);
    }
  }

private:
  const LayoutReport &Report;
  const layout::Image &Image;
  raw_ostream &OS;

  void writeSummary() {
    OS << Report.BinaryPath << ": "
       << plural(Report.Findings.size() + Report.Hidden + Report.Accepted,
                 "finding");
    std::visit([&](const auto &Scene) { writeExtent(Scene); }, Report.Scene);
    OS << '\n';
    // Where there is something to add up.
    if (Report.TotalScore > 0 || Report.Changes)
      writeWrapped(describeTotal(Report.TotalScore, Report.Changes), 0,
                   Report.Columns, OS);
  }

  void writeExtent(const LinkedScene &) {
    OS << " on " << plural(Report.Lines.count(), "line") << " of "
       << Report.Lines.blockSize() << " bytes, "
       << plural(Report.Pages.count(), "page") << " of "
       << Report.Pages.blockSize();
  }

  void writeExtent(const ObjectScene &Scene) {
    OS << " in " << plural(Scene.Types->Types.size(), "type") << ", lines of "
       << Report.Lines.blockSize() << " bytes, objects aligned to "
       << Scene.Types->Rules.HeapAlignment;
  }

  void writeFinding(size_t I) {
    const LineFinding &Finding = Report.Findings[I];
    OS << '\n';
    writeNamed(formatv("{0}. ", I + 1), Finding.Id,
               formatv("{0}, score {1}, {2}", word(Finding.Kind),
                       number(Finding.score()), word(Finding.Reached)),
               Report.Columns, OS);
    std::visit([&](const auto &About) { writePlace(Finding, About); },
               Finding.About);
    writeLinePicture(Report, Finding.Line, Finding.Occupants, OS);
    OS << '\n';
    writeOccupants(Finding.Line, Finding.Occupants, Finding.Head);
    OS << '\n';
    writeDefinitions(Finding);
    writeUsers(Finding);
    std::visit([&](const auto &About) { writeHarm(Finding, About); },
               Finding.About);
    writeWrapped((word(Finding.Cure.Kind) + ": " + Finding.Cure.Text).str(), 3,
                 Report.Columns, OS);
  }

  void writeHarm(const LineFinding &Finding, const VariableHazard &About) {
    if (About.Meeting != Sign::Facts)
      writeWrapped(describe(About.Meeting).str(), 3, Report.Columns, OS);
    if (About.BehindLock)
      writeWrapped("behind the lock " + nameAt(Report, {About.BehindLock}) +
                       ": handed over once each time that it is taken, however "
                       "many accesses there are meanwhile",
                   3, Report.Columns, OS);
    writeVictims(Finding);
  }

  void writeHarm(const LineFinding &Finding, const FieldHazard &) {
    if (Finding.Kind != SharingKind::True)
      writeVictims(Finding);
  }

  void writePlace(const LineFinding &Finding, const VariableHazard &) {
    LinkAddress Begin = Report.Lines.range(Finding.Line).Begin;
    OS << formatv("   line {0:x} in {1}, page {2:x}", Begin.Value,
                  guard::printable(
                      Image.sectionOf(Finding.Occupants.front().Occupant).Name),
                  Report.Pages.range(Report.Pages.indexOf(Begin)).Begin.Value);
    if (Finding.Lines > 1)
      OS << ", and " << plural(Finding.Lines - 1, "line") << " like it";
    OS << "\n\n";
  }

  /// What is known of the objects, and what luck decides.
  void writePlace(const LineFinding &, const FieldHazard &About) {
    const TypeScene &Scene = *std::get<ObjectScene>(Report.Scene).Types;
    const AccessedType &T = Scene.Types[About.Type];
    const auto &Layout = Scene.Layouts[About.Type];
    std::string Text = T.Size ? formatv("{0} bytes", T.Size).str()
                              : std::string("size not known");
    if (T.Alignment > 1)
      Text += formatv(", aligned to {0}", T.Alignment).str();
    if (Layout && !Layout->Source.empty())
      Text += ", " + sys::path::filename(Layout->Source).str();
    writeWrapped(Text, 3, Report.Columns, OS);
    Text = About.IsSynchronised
               ? "Its atomics or locks say that threads share such objects."
               : "Matters if two threads use one object, which nothing here "
                 "says.";
    if (About.IsArray)
      Text += " Elements of an array have neighbours on their lines.";
    else if (!About.Partner.empty())
      Text += formatv(" `{0}` and `{1}` are on one line at {2} of the {3} "
                      "addresses, modulo the line, that an object can have.",
                      About.Member, About.Partner, About.Shared, About.Phases);
    if (!About.Group.empty())
      Text += formatv(
          " `{0}` is in the group `{1}`{2}.", About.Member, About.Group,
          About.BreaksGroup ? ", which is for what is mostly read" : "");
    writeWrapped(Text, 3, Report.Columns, OS);
    OS << '\n';
  }

  /// An occupant's name, and where its offset is counted from: the line,
  struct Label {
    std::string Name;
    LinkAddress Origin;
  };
  Label label(const LinkedScene &, LineIndex Line,
              const LineOccupant &Place) const {
    return {displayName(Image, Place.Occupant), Report.Lines.range(Line).Begin};
  }
  /// or the object, as the source has it.
  Label label(const ObjectScene &Scene, LineIndex,
              const LineOccupant &Place) const {
    const Occupant &O = Image.occupants()[Place.Occupant];
    return {O.Kind == OccupantKind::Object ? Scene.Types->Fields[O.Symbol].Name
                                           : displayName(Image, Place.Occupant),
            Image.sectionOf(Place.Occupant).Range.Begin};
  }

  /// The least weight of an occupant that is described: the heaviest are.
  static double leastDescribed(ArrayRef<LineOccupant> Occupants) {
    std::vector<double> Weights;
    for (const LineOccupant &Place : Occupants)
      if (Place.Object)
        Weights.push_back(Place.Reads + Place.Writes + Place.Atomics);
    // As few more are not worth a line that says so.
    if (Weights.size() <= MostOccupants + 1)
      return 0;
    llvm::sort(Weights, std::greater<>());
    return Weights[MostOccupants - 1];
  }

  void writeOccupants(LineIndex Line, ArrayRef<LineOccupant> Occupants,
                      uint32_t Head) {
    std::string Letters = occupantLetters(Image, Occupants);
    size_t Bystanders = 0, Described = 0;
    LineOccupant Others;
    size_t OthersCount = 0;
    const double Least = leastDescribed(Occupants);
    for (auto [I, Place] : enumerate(Occupants)) {
      if (Letters[I] == '-')
        continue;
      double Weight = Place.Reads + Place.Writes + Place.Atomics;
      bool IsHead = Place.Object && Place.Object->Symbol == Head;
      if (Place.Object && Least > 0 && !IsHead &&
          (Weight < Least || Described >= MostOccupants)) {
        Others += Place;
        ++OthersCount;
        continue;
      }
      Described += Place.Object != nullptr;
      bool IsBystander = !Place.Object;
      if (IsBystander && ++Bystanders > MostBystanders)
        continue;
      Label Known = std::visit(
          [&, &Place = Place](const auto &Scene) {
            return label(Scene, Line, Place);
          },
          Report.Scene);
      writeNamed(
          formatv("   {0}  {1,-4} {2,4}  ", Letters[I],
                  formatv("+{0}", Place.Range.Begin - Known.Origin).str(),
                  Place.Range.size()),
          Known.Name, join(useTexts(Place), ", "), Report.Columns, OS);
      std::optional<MemberUses> Members = findMemberUses(Report, Place);
      if (Members)
        writeMembers(*Members);
      writeSites(Place, Members);
    }
    if (OthersCount)
      writeEnds(formatv("      and {0} more", OthersCount).str(),
                join(useTexts(Others), ", "), Report.Columns, OS);
    if (Bystanders > MostBystanders)
      OS << "      and " << Bystanders - MostBystanders
         << " more without known accesses\n";
  }

  std::string describe(const Role &R) {
    std::string Text = briefName(roleName(R));
    if (R.EntrySites > 1 && R.Count == Instances::Many)
      Text += formatv(" ({0})", plural(R.EntrySites, "entry site")).str();
    else if (R.Kind == RoleKind::Thread && R.Count == Instances::Many)
      Text += " (many)";
    return Text;
  }

  /// "main, worker (2 entry sites)". In a stripped program threads have no
  /// names: "thread (many) x3".
  std::string describe(ArrayRef<RoleIndex> Roles) {
    MapVector<std::string, unsigned, std::map<std::string, unsigned>> Counts;
    for (RoleIndex Index : Roles)
      ++Counts[describe(Report.Accesses.roles()[Index])];
    std::string Text;
    size_t Described = 0;
    for (const auto &[Role, Count] :
         Counts.getArrayRef().take_front(MostRoles)) {
      Text += (Text.empty() ? "" : ", ") + Role;
      if (Count > 1)
        Text += formatv(" x{0}", Count).str();
      Described += Count;
    }
    if (Described < Roles.size())
      Text +=
          formatv(" and {0}", plural(Roles.size() - Described, "more role"));
    return Text;
  }

  static StringRef describe(Sign Meeting) {
    switch (Meeting) {
    case Sign::None:
      return "no sign that threads often meet here: no atomic operation or "
             "lock that many ways lead to, no known threads on both sides";
    case Sign::OwnLines:
      return "no sign that threads meet here: each element has lines of its "
             "own, and which one a thread uses is not known";
    case Sign::Seldom:
      return "threads may meet here, but seldom: no two roles meet often "
             "enough for a program of so many functions";
    case Sign::MostlyRead:
      return "threads may meet here, but seldom: the line is mostly read, and "
             "most writes are plain stores";
    case Sign::Nameless:
      return "threads may meet here, but in a Rust program an object without a "
             "symbol is rather the standard library's or a crate's";
    case Sign::Library:
      return "threads may meet here, but the object is the standard library's, "
             "or of code in another language that the Rust program has in it";
    case Sign::Threads:
      return "sign of threads: known ones run both sides";
    case Sign::StandIn:
      return "sign of threads: many functions take it in the place of another "
             "object";
    case Sign::Lock:
      return "sign of threads: both sides hold a lock";
    case Sign::Atomic:
      return "sign of threads: an atomic operation or a lock on the line";
    case Sign::Facts:
      return "";
    }
    llvm_unreachable("unknown sign");
  }

  void writeUsers(const LineFinding &Finding) {
    if (!Report.Accesses.knowsThreads())
      return;
    std::set<RoleIndex> Writers, Readers;
    for (const LineOccupant &Place : Finding.Occupants) {
      Users Roles = findUsers(Report, Place);
      Writers.insert(Roles.Writers.begin(), Roles.Writers.end());
      Readers.insert(Roles.Readers.begin(), Roles.Readers.end());
    }
    std::string Text =
        "written by " +
        describe(std::vector<RoleIndex>(Writers.begin(), Writers.end()));
    if (!Readers.empty())
      Text += "; read by " +
              describe(std::vector<RoleIndex>(Readers.begin(), Readers.end()));
    writeWrapped(Text, 3, Report.Columns, OS);
  }

  /// Who loses the line when the head is written.
  void writeVictims(const LineFinding &Finding) {
    std::string Letters = occupantLetters(Image, Finding.Occupants);
    char Head = '?';
    std::vector<std::string> Victims;
    for (auto [Letter, Place] : zip(Letters, Finding.Occupants)) {
      if (Place.Object && Place.Object->Symbol == Finding.Head)
        Head = Letter;
      else if (!useTexts(Place).empty())
        Victims.push_back(std::string(1, Letter));
    }
    if (!Victims.empty())
      writeWrapped(formatv("every write to {0} takes the line from those who "
                           "use {1}",
                           Head, listed(Victims, MostVictims))
                       .str(),
                   3, Report.Columns, OS);
  }

  /// "defined at log.cpp:3 (A), tree.h:17 (B)"
  void writeDefinitions(const LineFinding &Finding) {
    std::string Letters = occupantLetters(Image, Finding.Occupants);
    std::vector<std::string> Places;
    for (auto [Letter, Place] : zip(Letters, Finding.Occupants))
      if (Place.Object)
        if (std::string Defined =
                baseName(definitionText(Report, *Place.Object));
            !Defined.empty())
          Places.push_back(formatv("{0} ({1})", Defined, Letter));
    if (!Places.empty())
      writeWrapped("defined at " + listed(Places, MostDefinitions), 3,
                   Report.Columns, OS);
  }

  void writeMembers(const MemberUses &Uses) {
    for (const MemberArray &A : Uses.Arrays)
      writeWrapped(
          formatv("{0}: {1} of {2}, {3} a line", A.Path,
                  plural(A.Elements, "element"), plural(A.Stride, "byte"),
                  number(double(Report.Lines.blockSize()) / double(A.Stride)))
              .str(),
          16, Report.Columns, OS);
    if (std::string Text = memberSummary(Uses); !Text.empty())
      writeWrapped(Text, 16, Report.Columns, OS);
  }

  void writeSites(const LineOccupant &Place,
                  const std::optional<MemberUses> &Uses) {
    // Where there is only one, the summary has said which.
    bool SaysMembers = Uses && count_if(Uses->Members, [](const MemberUse &U) {
                                 return U.isUsed();
                               }) > 1;
    std::vector<Site> Sites = findSites(Report, Place);
    std::string Said; // of the site before
    for (const Site &S : ArrayRef(Sites).take_front(SitesInText)) {
      std::string Right = baseName(S.Source);
      if (Right.empty() && S.Instruction.Value)
        Right = formatv("at {0:x}", S.Instruction.Value);
      if (S.isStartUp())
        Right += " (start-up, not counted)";
      std::string Place = briefName(S.Function);
      if (!S.Callee.empty())
        Place = S.Callee + " in " + Place;
      if (SaysMembers && !S.Members.empty())
        Place = listed(S.Members, MostSiteMembers) + " in " + Place;
      writeEnds(formatv("                {0,-6} {1,-6} {2}", word(S.Kind),
                        number(S.Weight), Place),
                Right, Report.Columns, OS);
      std::string Way =
          S.Way.empty() ? "" : "through " + briefName(S.Way, MostOfWay);
      if (S.IsMay)
        Way += Way.empty() ? "perhaps of another object"
                           : ": perhaps another object";
      if (!Way.empty() && Way != Said)
        writeWrapped(Way, 30, Report.Columns, OS);
      Said = Way;
    }
    if (Sites.size() > SitesInText)
      OS << "                and "
         << plural(Sites.size() - SitesInText, "more site") << '\n';
  }

  void writeLines() {
    uint64_t Left =
        Report.List == LineList::All ? UINT64_MAX : Report.FirstLines;
    std::optional<PageIndex> Page;
    Report.Lines.visit([&](LineIndex Line) {
      if (Left-- == 0)
        return false;
      AddressRange Range = Report.Lines.range(Line);
      if (PageIndex Next = Report.Pages.indexOf(Range.Begin); Page != Next) {
        Page = Next;
        OS << formatv("\npage {0:x}\n", Report.Pages.range(Next).Begin.Value);
      }
      std::string Text;
      for (const LineOccupant &Place :
           lineOccupants(Image, Report.Lines, Report.Accesses, Line)) {
        std::string Accesses = join(useTexts(Place), ", ");
        Text += formatv("{0}{1} {2}{3}", Text.empty() ? "" : ", ",
                        displayName(Image, Place.Occupant), Place.Range.size(),
                        Accesses.empty() ? "" : " (" + Accesses + ")");
      }
      writeWrapped(formatv("{0:x}  {1}", Range.Begin.Value, Text).str(), 2,
                   Report.Columns, OS);
      return true;
    });
    if (Report.List == LineList::First &&
        Report.Lines.count() > Report.FirstLines)
      OS << "  and "
         << plural(Report.Lines.count() - Report.FirstLines, "more line")
         << "; --all shows them\n";
  }
};

} // namespace

void writeText(const LayoutReport &Report, raw_ostream &OS) {
  TextWriter(Report, OS).write();
}

} // namespace linesman::report
