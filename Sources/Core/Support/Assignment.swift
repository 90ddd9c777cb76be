/// Linear assignment: one-to-one pairs of rows and columns with the least sum of costs.
///
/// Hungarian method by shortest augmenting paths with potentials (Kuhn 1955; Jonker and Volgenant 1987), O(n³) for n the longer side.
package enum Assignment {
    /// Column assigned to each row of `costs`; nil where a row stays alone.
    ///
    /// A pair whose cost is nil is never assigned, and as many pairs are made as can be.
    package static func solve(_ costs: [[Double?]], columns: Int) -> [Int?] {
        let rows = costs.count
        guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
        let size = max(rows, columns)
        // Dearer than any set of allowed pairs, so that a forbidden pair stands for none.
        let forbidden = 1 + costs.joined().reduce(0) { max($0, abs($1 ?? 0)) } * 2 * Double(size)
        func cost(_ row: Int, _ column: Int) -> Double {
            row < rows && column < columns ? costs[row][column] ?? forbidden : forbidden
        }
        // Potentials and the row of each column; index 0 is a sentinel.
        var (u, v) = ([Double](repeating: 0, count: size + 1), [Double](repeating: 0, count: size + 1))
        var rowOf = [Int](repeating: 0, count: size + 1)
        for row in 1...size {
            var (way, least) = ([Int](repeating: 0, count: size + 1), [Double](repeating: .infinity, count: size + 1))
            var used = [Bool](repeating: false, count: size + 1)
            rowOf[0] = row
            var column = 0
            repeat {
                used[column] = true
                var (delta, next) = (Double.infinity, 0)
                for j in 1...size where !used[j] {
                    let reduced = cost(rowOf[column] - 1, j - 1) - u[rowOf[column]] - v[j]
                    if reduced < least[j] { (least[j], way[j]) = (reduced, column) }
                    if least[j] < delta { (delta, next) = (least[j], j) }
                }
                for j in 0...size {
                    if used[j] {
                        u[rowOf[j]] += delta
                        v[j] -= delta
                    } else {
                        least[j] -= delta
                    }
                }
                column = next
            } while rowOf[column] != 0
            repeat {
                let before = way[column]
                rowOf[column] = rowOf[before]
                column = before
            } while column != 0
        }
        var result = [Int?](repeating: nil, count: rows)
        for column in 1...size where rowOf[column] <= rows && column <= columns && costs[rowOf[column] - 1][column - 1] != nil {
            result[rowOf[column] - 1] = column - 1
        }
        return result
    }
}
