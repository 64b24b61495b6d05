import { bytesInWords } from '../../format/sizes.ts'
/** The properties of a file's content, computed from its bytes. */
export interface Contents {
  size: number
  /** The SHA-256 hash in hexadecimal. */
  sha256: string
  /** The media type by the file's signature, or null if it is unknown. */
  type: string | null
  /** Whether the start of the file is plain UTF-8 text. */
  isText: boolean
}

/** The dimensions and duration of a picture or film; values that its bytes do not contain are null. */
export interface Measures {
  /** The duration of a film in milliseconds. */
  lengthMs: number | null
  /** The width in displayed pixels, after any rotation in the metadata. */
  width: number | null
  height: number | null
}

export const UNKNOWN: Measures = { lengthMs: null, width: null, height: null }

/** A range of bytes from `start` to `end`, both inclusive, counted from 0. */
export interface ByteRange {
  start: number
  end: number
}

/** The URL and the headers with which a client uploads a file. */
export interface UploadAddress {
  url: string
  headers: Record<string, string>
}

export interface UploadTerms {
  /** The time from which the URL is valid, by the system's clock; `seconds` is the duration of its validity. */
  now: Date
  seconds: number
  /** The size that the client announced; an upload of another size is refused. */
  size: number | null
}

export interface WriteOptions {
  /** The maximum size; a larger file is refused. */
  maxBytes: number
  signal?: AbortSignal | undefined
}

/**
 * A store for the bytes of files. A key is `<account>/<file>`; stored bytes are never overwritten. No method holds a whole file
 * in memory.
 */
export interface FileStore {
  readonly name: string
  /** The prefix of direct upload URLs; null if uploads go through the service. */
  readonly uploadsBelow: string | null
  /** Returns a URL for one direct upload; null if uploads go through the service. */
  uploadAddress(key: string, terms: UploadTerms): Promise<UploadAddress | null>
  /**
   * Stores bytes permanently; a reader sees all of them or none. Returns their number. Throws FileTooLargeError or KeyTakenError;
   * then, or if reading `chunks` fails, nothing is stored.
   */
  write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<number>
  /** Reads all bytes to determine their properties; null if there are none. Throws FileTooLargeError. */
  inspect(key: string, options: WriteOptions): Promise<Contents | null>
  /** Returns the bytes or a range of them; null if there are none. */
  read(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>
  /** Removes the bytes of a key; succeeds if there are none. */
  remove(key: string): Promise<void>
  removeAccount(accountId: string): Promise<void>
  /** Removes partial files of writes that a crash interrupted. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface Files {
  readonly current: FileStore
  /** Returns the store that a file's row names, since files stay there if the settings change. Throws if the store is not configured. */
  named(name: string): FileStore
  /** Measures a stored picture or film. `type` is the media type that was detected in its bytes. */
  measure(file: { account: string; store: string; key: string; size: number; type: string }): Promise<Measures>
  readonly all: readonly FileStore[]
  /** Removes partial files of writes that a crash interrupted. */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The file exceeds the maximum size. */
export class FileTooLargeError extends Error {
  override name = 'FileTooLargeError'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The file is larger than ${bytesInWords(maxBytes)}.`)
    this.maxBytes = maxBytes
  }
}

/** The key already has bytes. */
export class KeyTakenError extends Error {
  override name = 'KeyTakenError'
}
