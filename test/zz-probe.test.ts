import { it } from 'vitest'
import { startApp } from './support/app.ts'
import { readConformance } from './support/conformance.ts'
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000 }
async function timed<T>(name: string, f: () => Promise<T>): Promise<T> { const a = cpu(), w = Date.now(); const r = await f(); console.log(name, (cpu() - a).toFixed(0), 'cpu ms', Date.now() - w, 'wall'); return r }
it('probe', async () => {
  for (const engine of ['sqlite', 'sqlite', 'sqlite', 'postgres', 'postgres', 'sqlite'] as const) {
    const app = await timed('start ' + engine, () => startApp({ engine }))
    const dep = await timed('conformance', () => readConformance(app))
    const a = await timed('get', () => app.api('GET', '/products'))
    await timed('validate', async () => dep('GET', '/products', a))
    await timed('again', async () => dep('GET', '/products', await app.api('GET', '/products')))
    await timed('post', async () => { const b = await app.api('POST', '/products', { name: 'a' }); dep('POST', '/products', b) })
    await timed('close', () => app.close())
  }
})
