/** An error as the log keeps it. */
interface ErrorRecord {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: ErrorRecord
}

/** Enough for what wraps what; an error may be its own cause. */
const DEPTH = 5
/** A message may hold an answer of another server. */
const LONGEST_MESSAGE = 2_000

/**
 * What an error says of itself. Other properties stay out: libraries hang whole requests, queries with their values and
 * connections with their passwords on errors.
 */
export function errorRecord(error: unknown, depth = DEPTH): ErrorRecord {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(String(error)) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message: withoutSecrets(message),
    ...(typeof code === 'string' && { code }),
    ...(stack !== undefined && { stack: framesOf(stack) }),
    ...(cause !== undefined && depth > 1 && { cause: errorRecord(cause, depth - 1) }),
  }
}

/** The lines of a stack trace below the message, which is there already. */
function framesOf(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/^ {4}at /m)))
}

/** Values that are secrets by their form, and what addresses say beyond the host: a password before it, secrets after it. */
const SECRETS: [pattern: RegExp, instead: string][] = [
  [/\b((?:shpw[acr]?|whsec|[sr]k_(?:live|test))_)[\w+/=.-]+/g, '$1…'],
  [/\b([a-z][a-z+]*:\/\/)(?:[^\s/@"']*@)?([^\s/?#"']+)[^\s"']*/gi, '$1$2/…'],
]

function withoutSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text.slice(0, LONGEST_MESSAGE))
}
