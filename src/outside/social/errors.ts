/**
 * The platform refused, and would refuse the same request again. `expired` says that it no longer accepts the credentials:
 * a person has to allow access once more.
 */
export class PlatformRefusedError extends Error {
  override name = 'PlatformRefusedError'
  readonly expired: boolean

  constructor(message: string, { expired = false } = {}) {
    super(message)
    this.expired = expired
  }
}

/**
 * An earlier request may have reached the platform, and there is no way to find out. The service does not send it again by
 * itself; when a person does, after a look, it is a new request.
 */
export class OutcomeUnknownError extends PlatformRefusedError {
  override name = 'OutcomeUnknownError'
}

/** The platform limits how often it is asked, and has done nothing. The same request is sent again when it allows it. */
export class PlatformBusyError extends Error {
  override name = 'PlatformBusyError'
  /** Milliseconds since 1970. */
  readonly until: number

  constructor(message: string, until: number) {
    super(message)
    this.until = until
  }
}

/** The platform no longer takes the version of its API, and has done nothing. The request waits until the service asks for another one. */
export class VersionEndedError extends PlatformBusyError {
  override name = 'VersionEndedError'
  readonly version: string

  constructor(platform: string, version: string, until: number) {
    super(`${platform} no longer takes version ${version} of its API. Posts wait until the service is updated.`, until)
    this.version = version
  }
}
