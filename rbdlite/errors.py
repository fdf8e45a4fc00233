"""The package's own errors; each message names the body, joint or argument, and what was expected."""


class ModelError(ValueError):
    """A model that cannot exist: names the body or joint and the failed condition."""


class UrdfError(ModelError):
    """A URDF that cannot be read: names the file, the link or joint, and what was expected."""


class StateError(ValueError):
    """A state (q, qd, qdd, tau, f_ext) that does not fit the model."""


class SingularError(ArithmeticError):
    """A joint that nothing resists (its D is zero): names the joint."""


class TraceError(ValueError):
    """A function that cannot be traced or listed: names the line and what to change."""
