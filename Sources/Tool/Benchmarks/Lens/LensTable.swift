/// Printer of rows as they are measured.
struct LensTable {
    let print: (String) -> Void
    let progress: (String) -> Void

    /// Measures the row of `name`, which `progress` shows meanwhile.
    func add(_ name: String, _ outcome: () throws -> LensBenchRow.Outcome) rethrows {
        print(LensBenchRow(name: name, outcome: try working(on: name, outcome)).text)
    }

    func working<Result>(on what: String, _ body: () throws -> Result) rethrows -> Result {
        progress("  \(what) …")
        defer { progress("") }
        return try body()
    }
}
