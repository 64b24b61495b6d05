/** Returns the library's response, or null if the library refuses the request. */
export async function refusedAsNull<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    const status = (error as { statusCode?: unknown }).statusCode
    if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) return null
    throw error
  }
}
