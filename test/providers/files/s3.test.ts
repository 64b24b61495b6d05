import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFiles } from '../../../src/providers/files/registry.ts'
import { deleteAccount, removeFilesOfDeleted } from '../../../src/resources/company/account/life/delete.ts'
import { readSettings } from '../../../src/settings/config.ts'
import { type S3Server, startS3 } from '../../support/s3-server.ts'
import { type Body, Shop } from '../../support/shop.ts'
import { type Site, startSite } from '../../support/site.ts'

const shop = new Shop()
let store: S3Server
let site: Site

beforeAll(async () => {
  store = await startS3()
  site = await startSite()
  site.answers.set('/notes.txt', (_request, response) => response.end('a few words'))
  await shop.open('sqlite', { ...store.settings, OUTSIDE_ALLOW_LOOPBACK: 'true' })
})

afterAll(async () => {
  await shop.close()
  await store.close()
  await site.close()
})

const send = (file: Body, body: string, headers: object = file.upload_headers) =>
  fetch(file.upload_url, { method: 'PUT', headers: { ...headers }, body })

it('takes uploads in the store itself, once, and only of the size that was named', async () => {
  const file = await shop.post('/files', { filename: 'words.txt', size: 5 })
  expect(new URL(file.upload_url).origin).toBe(store.url)
  expect(file.upload_headers).toEqual({ 'If-None-Match': '*' })
  expect((await send(file, 'hello', {})).status).toBe(403)
  expect((await send(file, 'hello there')).status).toBe(403)
  expect(await shop.refusal('POST', `/files/${file.id}/uploaded`)).toEqual([400, 'invalid_state'])
  expect((await send(file, 'hello')).status).toBe(200)
  expect((await send(file, 'again')).status).toBe(412)
  const ready = await shop.post(`/files/${file.id}/uploaded`)
  expect(ready).toMatchObject({ upload_status: 'ready', size: 5, content_type: 'text/plain' })
  const part = await fetch(ready.file_url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text()]).toEqual([206, 'ell'])
  await shop.delete(`/files/${file.id}`)
  await shop.settled()
  expect(store.objects.size).toBe(0)
})

it('removes what comes after a file is given up, since the store takes it all the same', async () => {
  const { id, ...file } = await shop.post('/files', { filename: 'words.txt' })
  await shop.delete(`/files/${id}`)
  await shop.settled()
  expect((await send(file, 'late')).status).toBe(200)
  const late = await shop.db.selectFrom('jobs').select('run_at').where('name', '=', 'remove_file_bytes').execute()
  expect(late.map(({ run_at }) => run_at > new Date(Date.now() + 7_000_000).toISOString())).toContain(true)
  store.objects.clear()
})

it('keeps imports there too', async () => {
  const { id } = await shop.post('/files', { url: `${site.url}/notes.txt` })
  await shop.settled()
  const { upload_status, file_url } = await shop.get(`/files/${id}`)
  expect(upload_status).toBe('ready')
  expect(await (await fetch(file_url)).text()).toBe('a few words')
})

it('loses the files of an account with the account, and those of no other', async () => {
  const other = shop.as(await shop.running.another('short-lived'))
  const { id } = await other.post('/files', { url: `${site.url}/notes.txt` })
  await shop.settled()
  expect([...store.objects.keys()]).toContain(`${other.accountId}/${id}`)
  const { database } = shop.running.app
  const files = createFiles(readSettings({ ...store.settings, DATA_DIR: shop.running.dataDirectory }))
  await deleteAccount(database, other.accountId)
  await removeFilesOfDeleted(database, files.all)
  await files.close()
  expect([...store.objects.keys()].map((key) => key.split('/')[0])).toEqual([shop.accountId])
})
