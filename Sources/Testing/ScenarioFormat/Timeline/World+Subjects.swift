import Stage

extension World {
    /// Index of a subject that was declared.
    func index(of name: String) -> Int {
        guard let index = subjects.firstIndex(where: { $0.name == name }) else { preconditionFailure("only declared subjects have verbs") }
        return index
    }
}
