// Apple's AVKit shows players and catches the phone's buttons, which are not here. Code that imports it for the capture types finds them.
@_exported import AVFoundation
