extension Int {
    /// The number with a noun in singular or plural: `1 frame`, `36 frames`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
