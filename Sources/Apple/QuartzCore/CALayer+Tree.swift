import CoreVideo
import Foundation
import Synchronization

/// Tree of layers, and conversion of places between them.
extension CALayer {
    /// Layers within, the lowest first; nil for none. Setting them takes each out of the layer it was in.
    public var sublayers: [CALayer]? {
        get {
            let layers = state.withLock { $0.sublayers }
            return layers.isEmpty ? nil : layers
        }
        set {
            for layer in state.withLock({ $0.sublayers }) { layer.removeFromSuperlayer() }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// Layer that this one lies in; nil at the top.
    public var superlayer: CALayer? { state.withLock { $0.superlayer } }

    /// Puts a layer on top of those within, out of the one it was in.
    public func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32.max) }

    /// Puts a layer at an index among those within, out of the one it was in; an index beyond the end means the top.
    public func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        layer.removeFromSuperlayer()
        state.withLock { $0.sublayers.insert(layer, at: min(Int(idx), $0.sublayers.count)) }
        layer.state.withLock { $0.superlayer = self }
    }

    /// Takes the layer out of the one it lies in.
    public func removeFromSuperlayer() {
        let parent = state.withLock { state in
            defer { state.superlayer = nil }
            return state.superlayer
        }
        parent?.state.withLock { $0.sublayers.removeAll { $0 === self } }
    }

    /// Returns a point of this layer's coordinates in those of another; nil is the top of the tree.
    public func convert(_ p: CGPoint, to l: CALayer?) -> CGPoint { p.applying(map(to: l)) }
    /// Returns a point of another layer's coordinates in those of this one; nil is the top of the tree.
    public func convert(_ p: CGPoint, from l: CALayer?) -> CGPoint { p.applying(map(to: l).inverted()) }
    /// Returns a rectangle of this layer's coordinates in those of another; nil is the top of the tree.
    public func convert(_ r: CGRect, to l: CALayer?) -> CGRect { r.applying(map(to: l)) }
    /// Returns a rectangle of another layer's coordinates in those of this one; nil is the top of the tree.
    public func convert(_ r: CGRect, from l: CALayer?) -> CGRect { r.applying(map(to: l).inverted()) }

    /// Returns the topmost visible layer under a point of the parent's coordinates, among this one and those within; nil for none.
    public func hitTest(_ p: CGPoint) -> CALayer? {
        let inside = p.applying(state.withLock { $0.transformToParent }.inverted())
        guard !isHidden, contains(inside) else { return nil }
        for layer in (sublayers ?? []).reversed() { if let hit = layer.hitTest(inside) { return hit } }
        return self
    }

    /// Map to the coordinates of another layer, by way of the top of the tree.
    private func map(to other: CALayer?) -> CGAffineTransform {
        toTop.concatenating(other?.toTop.inverted() ?? .identity)
    }

    /// Map to the coordinates of the layer at the top of the tree.
    private var toTop: CGAffineTransform {
        guard let superlayer else { return .identity }
        return state.withLock { $0.transformToParent }.concatenating(superlayer.toTop)
    }
}
