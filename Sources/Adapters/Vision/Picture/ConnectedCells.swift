import Foundation

/// Connected parts of a grid whose cells lie row by row.
enum ConnectedCells {
    /// Cells beside a cell: those that share an edge with it, or a corner too.
    enum Neighbours {
        case four, eight
    }

    /// Cells connected with `seeds` through `open` ones, which it closes, in the order of the walk.
    static func flood(from seeds: [Int], through open: inout [Bool], columns: Int, neighbours: Neighbours = .four) -> [Int] {
        var stack = seeds.filter { open[$0] }
        for at in stack { open[at] = false }
        var members: [Int] = []
        let rows = open.count / columns
        while let at = stack.popLast() {
            members.append(at)
            let (x, y) = (at % columns, at / columns)
            for j in max(y - 1, 0)...min(y + 1, rows - 1) {
                for i in max(x - 1, 0)...min(x + 1, columns - 1) where open[j * columns + i] && (neighbours == .eight || i == x || j == y) {
                    open[j * columns + i] = false
                    stack.append(j * columns + i)
                }
            }
        }
        return members
    }

    /// Smallest box around cells, 0…1 of the grid; at least one cell.
    static func bounds(of cells: [Int], columns: Int, rows: Int) -> CGRect {
        var (left, right, top, bottom) = (columns, 0, rows, 0)
        for cell in cells {
            let (x, y) = (cell % columns, cell / columns)
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = max(bottom, y)
        }
        return CGRect(
            x: Double(left) / Double(columns), y: Double(top) / Double(rows), width: Double(right - left + 1) / Double(columns),
            height: Double(bottom - top + 1) / Double(rows))
    }
}
