/** Writes log lines for the operator. Each method takes details and a message. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
