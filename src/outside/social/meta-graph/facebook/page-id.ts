import { type Login, PlatformRefusedError } from '../../provider.ts'

/** The page of an account. Throws a PlatformRefusedError for credentials without it. */
export function pageIdOf({ login }: { login: Pick<Login, 'credentials'> }): string {
  const { page_id } = login.credentials
  if (page_id) return page_id
  throw new PlatformRefusedError('credentials need a page_id; open connect_url to give access to a page')
}
