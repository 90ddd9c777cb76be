// Apple's AVKit shows players, which are not here, and catches the phone's buttons. Code that imports it for the capture types finds them.
@_exported import AVFoundation
