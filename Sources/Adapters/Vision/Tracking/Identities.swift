/// Gives every object and every group its number, once.
struct Identities {
    private var objects = 0
    private var groups = 0

    mutating func object() -> Int {
        objects += 1
        return objects
    }

    mutating func group() -> Int {
        groups += 1
        return groups
    }
}
