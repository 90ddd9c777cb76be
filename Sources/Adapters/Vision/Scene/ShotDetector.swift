import CoreVideo
import Foundation

/// Layout of the light in a picture, without its brightness and contrast: means of the luma in 32 x 18 cells, and the same in each of 4 x 3 regions.
public struct PictureLayout: Sendable {
    private static let (columns, rows) = (32, 18)
    /// Cells of a region.
    private static let (across, down) = (8, 6)
    /// A standard deviation, 0…255, below which a picture or a region shows nothing.
    private static let blank = 1.5
    /// The correlation above which a region stays.
    private static let same = 0.8

    /// Zero mean, unit length; nil of a picture that shows nothing.
    private let cells: [Float]?
    /// The same of each region.
    private let regions: [[Float]?]

    /// `picture` is `420v`; throws `VisionError` when it is not.
    public init(of picture: CVPixelBuffer) throws {
        let raster = try Raster(lumaOf: picture, width: min(Self.columns, picture.size.width), height: min(Self.rows, picture.size.height))
        let values = (0..<raster.count).map { Float(raster.bytes[$0]) }
        cells = Self.normalised(values)
        var regions: [[Float]?] = []
        for top in stride(from: 0, to: raster.height, by: Self.down) {
            for left in stride(from: 0, to: raster.width, by: Self.across) {
                let rows = (top..<min(top + Self.down, raster.height)).map { $0 * raster.width }
                let columns = left..<min(left + Self.across, raster.width)
                regions.append(Self.normalised(rows.flatMap { values[$0 + columns.lowerBound..<$0 + columns.upperBound] }))
            }
        }
        self.regions = regions
    }

    /// Values of zero mean and unit length; nil of those that show nothing.
    private static func normalised(_ values: [Float]) -> [Float]? {
        let mean = values.reduce(0, +) / Float(values.count)
        let length = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
        let deviation = Double(length) / Double(values.count).squareRoot()
        return deviation < blank ? nil : values.map { ($0 - mean) / length }
    }

    var isBlank: Bool { cells == nil }

    /// Normalised cross-correlation, -1…1; 0 where one of the two shows nothing.
    func correlation(with other: PictureLayout) -> Double { Self.correlation(cells, other.cells) ?? 0 }

    /// Share of the regions that stay, 0…1, of those that show something in both.
    func shareOfSameRegions(in other: PictureLayout) -> Double {
        let correlations = zip(regions, other.regions).compactMap { Self.correlation($0, $1) }
        return Double(correlations.count { $0 > Self.same }) / Double(max(correlations.count, 1))
    }

    private static func correlation(_ cells: [Float]?, _ others: [Float]?) -> Double? {
        guard let cells, let others, cells.count == others.count else { return nil }
        return Double(zip(cells, others).reduce(0) { $0 + $1.0 * $1.1 })
    }
}

/// Tells where one shot is cut to the next, from the layouts of a few pictures on either side.
///
/// A cut is a change that is great, much greater than those just before and after it (a dissolve and a fast pan change as much from picture to
/// picture), that lasts (after a flash the picture is what it was), and that is one of nearly the whole picture (behind something bright that moves away
/// at once, as where frames were dropped, the rest stays).
public struct ShotDetector: Sendable {
    /// Number of pictures after the one in question that are looked at.
    public static let lookAhead = 4
    /// The correlation that pictures across a cut stay below, and how many times as much as its neighbours a cut changes.
    private static let (likeness, prominence) = (0.6, 2.0)
    /// The share of regions that stay across a cut: less than this. Of pictures of different clips .08 in 99 of 100 pairs.
    private static let staying = 0.3

    /// The last pictures that showed something, of this shot.
    private var past: [PictureLayout] = []

    /// Creates a detector that has seen no picture.
    public init() {}

    /// Whether `picture` begins a shot; `next` are those that follow, as many as there are up to `lookAhead`. Called for each picture, in order.
    public mutating func beginsShot(_ picture: PictureLayout, next: [PictureLayout]) -> Bool {
        guard !picture.isBlank else { return false }
        let isCut = isCut(to: [picture] + next.filter { !$0.isBlank })
        if isCut { past = [] }
        past = past.suffix(Self.lookAhead - 1) + [picture]
        return isCut
    }

    private func isCut(to future: [PictureLayout]) -> Bool {
        func change(_ a: PictureLayout, _ b: PictureLayout) -> Double { 1 - a.correlation(with: b) }
        guard let last = past.last else { return false }
        let jump = change(last, future[0])
        guard jump > 1 - Self.likeness, last.shareOfSameRegions(in: future[0]) < Self.staying else { return false }
        let before = past.count > 1 ? change(past[past.count - 2], last) : 0
        let after = future.count > 1 ? change(future[0], future[1]) : 0
        guard jump > Self.prominence * max(before, after) else { return false }
        return past.allSatisfy { old in future.allSatisfy { old.correlation(with: $0) < Self.likeness } }
    }
}
