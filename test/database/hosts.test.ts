import { describe, expect, it } from 'vitest'
import { Hosts, urlsOf } from '../../src/database/postgres/hosts.ts'
import { openPostgres } from '../../src/database/postgres.ts'
import { freePort } from '../support/postgres-server.mjs'
import { freshPostgresUrl, testServerUrl } from './engines.ts'
import { type ItemTables, insertItem, itemIds, itemMigrations } from './items.ts'

describe('A DATABASE_URL', () => {
  it.each([
    ['postgres://me@one/shop', ['postgres://me@one/shop']],
    [
      'postgres://me:p%40ss@one:5432,two:5433/shop?target_session_attrs=read-write&sslmode=require',
      ['postgres://me:p%40ss@one:5432/shop?sslmode=require', 'postgres://me:p%40ss@two:5433/shop?sslmode=require'],
    ],
    ['postgresql://one,two/shop?target_session_attrs=primary', ['postgresql://one/shop', 'postgresql://two/shop']],
    ['postgres://me@[::1]:5432,[::2]/shop', ['postgres://me@[::1]:5432/shop', 'postgres://me@[::2]/shop']],
    ['no URL', ['no URL']],
  ])('%s names these servers', (url, urls) => {
    expect(urlsOf(url)).toEqual(urls)
  })

  it('is followed to the next server by whoever finds one gone, once', () => {
    const hosts = new Hosts('postgres://one,two,three/shop')
    const gone = hosts.current
    hosts.leave(gone)
    hosts.leave(gone)
    expect(hosts.current).toBe('postgres://two/shop')
    hosts.leave(hosts.current)
    hosts.leave(hosts.current)
    expect(hosts.current).toBe(gone)
  })

  it.skipIf(!testServerUrl)('leads to the server that answers', async () => {
    const { url, remove } = await freshPostgresUrl()
    const { host, pathname, username } = new URL(url)
    const several = `postgres://${username}@127.0.0.1:${await freePort()},${host}${pathname}?target_session_attrs=read-write`
    const database = await openPostgres<ItemTables>({ url: several, migrations: itemMigrations })
    await database.transaction(({ db }) => insertItem(db, 'a'))
    expect(await itemIds(database.read)).toEqual(['a'])
    await database.close()
    await remove()
  })
})
