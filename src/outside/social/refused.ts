import { PlatformRefusedError } from './provider.ts'

/** What was asked for, or `instead` where it rejects with an error that `isMeant`. */
export async function orElse<Value, Instead>(
  asked: Promise<Value>,
  instead: Instead,
  isMeant: (error: unknown) => boolean,
): Promise<Value | Instead> {
  return asked.catch((error: unknown) => {
    if (isMeant(error)) return instead
    throw error
  })
}

export function isRefused(error: unknown): boolean {
  return error instanceof PlatformRefusedError
}

/** The platform refused the request itself, and still accepts the credentials. */
export function isRefusedAlone(error: unknown): boolean {
  return error instanceof PlatformRefusedError && !error.expired
}
