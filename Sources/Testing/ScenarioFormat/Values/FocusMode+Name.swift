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
}
