import Foundation

/// Role that lets `NSValue(time:)` return a value of its own; nothing in it is for clients.
public protocol _TimeBoxing {}

extension NSValue: _TimeBoxing {}

extension _TimeBoxing where Self: NSValue {
    /// Wraps a time.
    public init(time: CMTime) {
        guard let value = TimeValue(time) as? Self else { preconditionFailure("subclasses of NSValue have initializers of their own") }
        self = value
    }

    /// Wraps a range of times.
    public init(timeRange: CMTimeRange) {
        guard let value = TimeRangeValue(timeRange) as? Self else {
            preconditionFailure("subclasses of NSValue have initializers of their own")
        }
        self = value
    }

    /// The time that is wrapped; invalid where there is none.
    public var timeValue: CMTime { (self as NSValue as? TimeValue)?.wrapped ?? .invalid }
    /// The range that is wrapped; invalid where there is none.
    public var timeRangeValue: CMTimeRange { (self as NSValue as? TimeRangeValue)?.wrapped ?? .invalid }
}

/// Value of a type whose encoding Foundation does not read here.
private class Wrapped<Value: Sendable & Equatable>: NSValue, @unchecked Sendable {
    let wrapped: Value
    class var encoding: StaticString { "" }

    init(_ wrapped: Value) {
        self.wrapped = wrapped
        super.init()
    }
    required init?(coder: NSCoder) { nil }
    required init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
        wrapped = value.load(as: Value.self)
        super.init()
    }

    override func getValue(_ value: UnsafeMutableRawPointer) { value.initializeMemory(as: Value.self, to: wrapped) }
    override var objCType: UnsafePointer<Int8> { UnsafeRawPointer(Self.encoding.utf8Start).assumingMemoryBound(to: Int8.self) }
    override func isEqual(_ object: Any?) -> Bool { (object as? Self)?.wrapped == wrapped }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class TimeValue: Wrapped<CMTime>, @unchecked Sendable {
    override class var encoding: StaticString { "{?=qiIq}" }
    // Equal times may differ in their scales.
    override var hash: Int { wrapped.seconds.hashValue }
}
private final class TimeRangeValue: Wrapped<CMTimeRange>, @unchecked Sendable {
    override class var encoding: StaticString { "{?={?=qiIq}{?=qiIq}}" }
    override var hash: Int { wrapped.start.seconds.hashValue }
}
