/// Who goes with whom, one to one, so that the sum of costs is least (the Hungarian method, by shortest augmenting paths).
package enum Assignment {
    /// For each row of `costs` its column, or nil; a pair whose cost is nil never goes together, and as many go together as can.
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
