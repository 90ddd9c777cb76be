import CoreMedia
import Foundation

/// Painted backdrop and table, larger than the picture by what the camera's movement uncovers.
final class Backcloth: @unchecked Sendable {
    /// Margin in pixels beyond the picture's left edge.
    let marginX: Int
    /// Margin in pixels beyond the picture's upper edge.
    let marginY: Int
    let cloth: Canvas
    let table: Canvas?
    /// First row of the table in a picture without camera movement.
    let tableRow: Int

    init(world: World, geometry: BackdropGeometry) {
        var reach = (x: 0.0, y: 0.0)
        for index in stride(from: 0, to: min(world.frameCount, world.framesOfCameraMoves), by: 1) {
            let time = world.presentationTime(of: index).nanoseconds
            let shift = world.camera.shift(at: time, seed: world.seed, aspect: Double(world.width) / Double(world.height))
            reach = (max(reach.x, abs(shift.x)), max(reach.y, abs(shift.y)))
        }
        reach.x += world.parallax * max(geometry.disparity(at: 1.1), geometry.table == nil ? 0 : geometry.tableDisparity(at: 1.1))
        marginX = reach.x == 0 ? 0 : Int(min(reach.x, 1) * Double(world.width)) + 2
        marginY = reach.y == 0 ? 0 : Int(min(reach.y, 0.5) * Double(world.height)) + 2
        cloth = Canvas(width: world.width + 2 * marginX, height: world.height + 2 * marginY)
        let top = geometry.tableTop.map { Int(($0 * Double(world.height)).rounded()) }
        tableRow = top ?? world.height
        let tableHeight = world.height + marginY - tableRow
        table = top != nil && tableHeight > 1 ? Canvas(width: cloth.width, height: tableHeight) : nil
        BackdropPainter(world: world, geometry: geometry, marginX: marginX, marginY: marginY).paint(cloth, table: table, tableRow: tableRow)
    }

    /// Copies the row of wall or floor that is seen at row `y`; the picture is shifted by `shift` widths and heights.
    func copy(to canvas: Canvas, y: Int, shift: CGPoint) {
        copyRow(of: cloth, at: Double(y) - shift.y * Double(canvas.height) + Double(marginY), to: canvas, y: y, shift: shift)
    }

    /// Copies the row of the table that is seen at row `y`; false when there is none.
    func copyTable(to canvas: Canvas, y: Int, shift: CGPoint) -> Bool {
        let source = Double(y) - shift.y * Double(canvas.height) - Double(tableRow)
        guard let table, source >= 0 else { return false }
        copyRow(of: table, at: source, to: canvas, y: y, shift: shift)
        return true
    }

    private func copyRow(of source: Canvas, at sourceY: Double, to canvas: Canvas, y: Int, shift: CGPoint) {
        let v = min(max(Int((sourceY * 256).rounded()), 0), (source.height - 1) << 8)
        let u = Int(((Double(marginX) - shift.x * Double(canvas.width)) * 256).rounded())
        let first = min(max(u >> 8, 0), source.width - canvas.width)
        let upper = source.row(v >> 8) + first
        let target = canvas.row(y)
        if u & 255 == 0, v & 255 == 0 {
            target.update(from: upper, count: canvas.width)
            return
        }
        let lower = source.row(min((v >> 8) + 1, source.height - 1)) + first
        let (weightX, weightY) = (UInt32(u & 255), UInt32(v & 255))
        let last = first + canvas.width < source.width ? canvas.width : canvas.width - 1
        for x in 0..<last {
            target[x] = Packed.lerp(Packed.lerp(upper[x], upper[x + 1], weightX), Packed.lerp(lower[x], lower[x + 1], weightX), weightY)
        }
        if last < canvas.width { target[last] = Packed.lerp(upper[last], lower[last], weightY) }
    }
}

extension World {
    /// Frames after which the camera shows nothing new: all, or in a world without end those of its moves and a minute of shake.
    fileprivate var framesOfCameraMoves: Int {
        guard frameCount == .max else { return frameCount }
        let ends = (camera.pan.moves + camera.shake.moves).map { $0.start + $0.duration }
        let isStill = camera.shake.initial == 0 && camera.shake.moves.allSatisfy { $0.target == 0 }
        return Int(((ends.max() ?? 0) + (isStill ? 0 : 60_000_000_000)) / max(frameDuration.nanoseconds, 1)) + 2
    }
}
