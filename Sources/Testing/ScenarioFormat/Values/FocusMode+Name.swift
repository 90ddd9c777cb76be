import Pipeline

extension FocusMode {
    /// Word of the scenario format and of the trace.
    package var name: String {
        switch self {
        case .none: "none"
        case .strong: "strong"
        case .weak: "weak"
        }
    }

    /// Modes by their words, in the order of messages and of the schema.
    static let names: [(name: String, value: FocusMode)] = [("weak", .weak), ("strong", .strong), ("none", .none)]
}
