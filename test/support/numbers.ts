let last = 0

/** A number for a name that must be unique. */
export function nextNumber(): number {
  return ++last
}

/** Starts at one again, where names are compared with those of an earlier run. */
export function restartNumbers(): void {
  last = 0
}
