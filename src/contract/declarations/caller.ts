/** What people are in an account. What each role may do is in `role-rights.ts`; their order here means nothing. */
export const ROLES = ['owner', 'admin', 'editor', 'support', 'viewer', 'member'] as const
export type Role = (typeof ROLES)[number]

/** What an API token may do: everything its user may, plan without writing, or read. */
export const TOKEN_RIGHTS = ['write', 'propose', 'read'] as const
export type TokenRight = (typeof TOKEN_RIGHTS)[number]

/** What somebody may do: as much as all of the roles allow, and no more than the token does. */
export interface Rights {
  roles: readonly Role[]
  right: TokenRight
}

/** Somebody whose rights count: a person, or one API token or connection of a person. */
export interface Actor {
  userId: string
  /** Null for all that the person may do. */
  tokenId: string | null
}

/** Somebody else without whose rights a caller may do nothing, with what the token may do at this moment. */
export interface Limit extends Actor {
  right: TokenRight
  /** The role that the token is limited to. */
  tokenRole?: Role | null
}

/** The run of a task that a caller acts in. */
export interface RunOrigin {
  run: string
  /** The tasks whose runs led to it, its own among them. */
  tasks: string[]
}

/** A user in one of the accounts that the user belongs to. */
export interface AccountUser {
  accountId: string
  userId: string
}

interface InAccount {
  accountId: string
  /** Set where it is a task's run that acts, itself or through what it left for later. */
  origin?: RunOrigin
}

/** A person of the account, by whichever way the person came. */
interface Person extends InAccount {
  userId: string
  /** A role that bounds what the caller does: the person's own, unless another of those who took part may do less. */
  role: Role
  /** Further roles that bound it: of the token, and of `limits`. A caller may do what all of the roles include. */
  otherRoles?: readonly Role[]
  /** Others whose rights bound what the caller does, now and in what it leaves to be done later. */
  limits?: readonly Limit[]
  /** A command on its own data: no rate limit counts. */
  unlimited?: true
}

/** A program or a script with an API token of the account. */
export interface TokenCaller extends Person {
  kind: 'token'
  tokenId: string
  right: TokenRight
  /** The role that its maker has limited it to. */
  tokenRole?: Role
}

/** A person who is signed in, or who sits at the server's own terminal. */
export interface SessionCaller extends Person {
  kind: 'session'
  sessionId: string
  /** Absent for everything the role allows; less where one of `limits` may do less. */
  right?: TokenRight
}

/** Somebody who holds the secret of one checkout, or who opens one: then its id is that of the link, price or invoice. */
export interface BuyerCaller extends InAccount {
  kind: 'buyer'
  checkoutId: string
}

/** A buyer who has proved the address of a customer, and is signed in to the page of what that customer bought. */
export interface CustomerCaller extends InAccount {
  kind: 'customer'
  customerId: string
}

/** Somebody on a public page, such as that of a form. */
export interface VisitorCaller extends InAccount {
  kind: 'visitor'
  /** The id of what the page is about. */
  pageId: string
}

/** Work that the service itself does later. */
export interface JobCaller extends InAccount {
  kind: 'job'
  jobId: string
}

/** A provider that reports what happened outside: a payment, a delivery. */
export interface ProviderCaller extends InAccount {
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
/** Callers that act for a user of the account. */
export type UserCaller = TokenCaller | SessionCaller

/** Who may call an operation that does not say so. */
export const USERS: readonly CallerKind[] = ['token', 'session']

export function isUser(caller: Caller): caller is UserCaller {
  return caller.kind === 'token' || caller.kind === 'session'
}

/** Identifies the caller within its account: in budgets, in the log of runs, on plans. */
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
