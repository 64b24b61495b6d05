/** The roles of account members; their order has no meaning, and `role-rights.ts` says what each may do. */
export const ROLES = ['owner', 'admin', 'editor', 'support', 'viewer', 'member'] as const
export type Role = (typeof ROLES)[number]

/** The rights of an API token, greatest first: everything its user may do, only plans that need approval, or only reads. */
export const TOKEN_RIGHTS = ['write', 'propose', 'read'] as const
export type TokenRight = (typeof TOKEN_RIGHTS)[number]

/** Combined rights. An action must be included in every role and allowed by the token right. */
export interface Rights {
  roles: readonly Role[]
  right: TokenRight
}

/** A person, or one of the person's API tokens, whose rights limit an action. */
export interface Actor {
  userId: string
  /** The id of the token; null for the person without a token. */
  tokenId: string | null
}

/** Another actor whose rights limit the caller, with the right of that actor's token. */
export interface Limit extends Actor {
  right: TokenRight
  tokenRole?: Role | null
  /** Whether the token has daily caps. */
  isCapped?: boolean
}

/** The run of an automated task on whose behalf a caller acts. */
export interface RunOrigin {
  run: string
  /** The ids of the run's task and of the tasks whose runs led to it, directly or indirectly. */
  tasks: string[]
}

export interface AccountUser {
  accountId: string
  userId: string
}

interface CallerBase {
  accountId: string
  /** Set if the caller acts for a task run, directly or through work that the run scheduled. */
  origin?: RunOrigin
  /** The ids of the tokens with daily caps that caused the work; what it uses counts for each of them. */
  capped?: readonly string[]
}

interface UserCallerBase extends CallerBase {
  userId: string
  /** The person's role, or the role of a limiting actor if it includes fewer rights. */
  role: Role
  /** Roles of the token and of `limits`. An action must be included in `role` and in each of them. */
  otherRoles?: readonly Role[]
  /** Other actors whose rights limit the caller, now and in the work that the caller schedules. */
  limits?: readonly Limit[]
  /** Set for a local command that works on its own data and has no rate limits. */
  unlimited?: true
}

export interface TokenCaller extends UserCallerBase {
  kind: 'token'
  tokenId: string
  right: TokenRight
  tokenRole?: Role
}

/** A person who is signed in to the dashboard or works at the server's own terminal. */
export interface SessionCaller extends UserCallerBase {
  kind: 'session'
  sessionId: string
  /** Absent if the caller may do all that the role includes; set if an actor in `limits` may do less. */
  right?: TokenRight
}

/** The holder of a checkout's secret. While a checkout is being opened, `checkoutId` is the id of the checkout link, price or invoice. */
export interface BuyerCaller extends CallerBase {
  kind: 'buyer'
  checkoutId: string
}

/** A customer who confirmed an e-mail address and is signed in to the page of their purchases. */
export interface CustomerCaller extends CallerBase {
  kind: 'customer'
  customerId: string
}

/** An anonymous visitor of a public page, such as a form. */
export interface VisitorCaller extends CallerBase {
  kind: 'visitor'
  pageId: string
}

export interface JobCaller extends CallerBase {
  kind: 'job'
  jobId: string
}

/** A provider that reports an external event, such as a payment or an e-mail delivery. */
export interface ProviderCaller extends CallerBase {
  kind: 'provider'
  provider: string
}

export type Caller =
  | TokenCaller
  | SessionCaller
  | BuyerCaller
  | CustomerCaller
  | VisitorCaller
  | JobCaller
  | ProviderCaller
export type CallerKind = Caller['kind']
export type UserCaller = TokenCaller | SessionCaller

/** The kinds of callers that may call an operation that declares none. */
export const USERS: readonly CallerKind[] = ['token', 'session']

export function isUser(caller: Caller): caller is UserCaller {
  return caller.kind === 'token' || caller.kind === 'session'
}

/** Returns the id that identifies the caller within its account in rate limits, program runs and plans. */
export function callerId(caller: Caller): string {
  switch (caller.kind) {
    case 'token':
      return caller.tokenId
    case 'session':
      return caller.sessionId
    case 'buyer':
      return caller.checkoutId
    case 'customer':
      return caller.customerId
    case 'visitor':
      return caller.pageId
    case 'job':
      return caller.jobId
    case 'provider':
      return caller.provider
  }
}
