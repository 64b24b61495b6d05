import { invalid } from '../../../contract/declarations/errors.ts'

/** A product is sold from one moment until a later one. Throws a 422 when the window is empty. */
export function requireWindow({
  available_from,
  available_until,
}: {
  available_from?: string | null
  available_until?: string | null
}): void {
  if (available_from && available_until && available_until <= available_from) {
    throw invalid({ available_until: ['must be after available_from'] })
  }
}
