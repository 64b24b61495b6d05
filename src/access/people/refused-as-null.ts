/** Returns the response of the sign-in library, or null if it is a 4xx error. */
export async function refusedAsNull<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    const status = (error as { statusCode?: unknown }).statusCode
    if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) return null
    throw error
  }
}
