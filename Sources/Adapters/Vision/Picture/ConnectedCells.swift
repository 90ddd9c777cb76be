/// Connected parts of a grid whose cells lie row by row, each connected with its four neighbours.
enum ConnectedCells {
    /// Cells connected with `seeds` through `open` ones, which it closes, in the order in which they are found.
    static func flood(from seeds: [Int], through open: inout [Bool], columns: Int) -> [Int] {
        var stack = seeds.filter { open[$0] }
        for at in stack { open[at] = false }
        var members = stack
        while let at = stack.popLast() {
            let x = at % columns
            for next in [x > 0 ? at - 1 : -1, x < columns - 1 ? at + 1 : -1, at - columns, at + columns]
            where open.indices.contains(next) && open[next] {
                open[next] = false
                members.append(next)
                stack.append(next)
            }
        }
        return members
    }
}
