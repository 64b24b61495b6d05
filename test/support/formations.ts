import { exampleBody } from '../../src/contract/documents/schemas.ts'
import { pay } from './sell.ts'
import type { Body, Shop } from './shop.ts'

let made = 0

/** Formations of a test account of their own. */
export class Formations {
  readonly service: Shop
  readonly shop: Shop
  /** The body of a whole formation. */
  readonly example: Body

  private constructor(service: Shop, shop: Shop, example: Body) {
    this.service = service
    this.shop = shop
    this.example = example
  }

  static async open(service: Shop): Promise<Formations> {
    const shop = service.as(await service.running.another(`formations-${++made}`, { test: true }))
    const operation = service.operations.find(({ id }) => id === 'create_formation')!
    return new Formations(
      service,
      shop,
      exampleBody(operation as never, service.running.app.pipeline.presenter.findNoun),
    )
  }

  start(values: object = {}): Promise<Body> {
    return this.shop.post('/formations', { ...this.example, ...values })
  }

  get(id: string, query = ''): Promise<Body> {
    return this.shop.get(`/formations/${id}${query}`)
  }

  act(id: string, action: string): Promise<Body> {
    return this.shop.post(`/formations/${id}/${action}`)
  }

  async startPaid(values: object = {}): Promise<Body> {
    const { id, checkout } = await this.start(values)
    await pay(this.shop, checkout)
    return this.get(id)
  }

  async filed(id: string): Promise<Body> {
    await this.act(id, 'submit')
    await this.service.settled()
    return this.get(id)
  }
}
