/// Types of subscribers.
public enum Subscribers {}
