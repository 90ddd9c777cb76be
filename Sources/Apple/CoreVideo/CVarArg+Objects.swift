import Foundation

// Foundation hands texts to formats (`%@`); Apple's hands on every object. These are the ones that camera code logs.

extension NSError: @retroactive _CVarArgObject, @retroactive CVarArg {
    /// Its description.
    public var _cVarArgObject: any CVarArg { description as NSString }
    /// That of its description.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive _CVarArgObject, @retroactive CVarArg {
    /// Its description.
    public var _cVarArgObject: any CVarArg { description as NSString }
    /// That of its description.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSNumber: @retroactive _CVarArgObject, @retroactive CVarArg {
    /// Its digits.
    public var _cVarArgObject: any CVarArg { stringValue as NSString }
    /// That of its digits.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}
