import { PlatformRefusedError } from './provider.ts'

/** Returns the value, or `instead` if the promise rejects with an error that `isMeant`. */
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

/** Returns whether the platform refused the request but still accepts the credentials. */
export function isRefusedAlone(error: unknown): boolean {
  return error instanceof PlatformRefusedError && !error.expired
}
