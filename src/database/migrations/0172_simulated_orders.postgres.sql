-- online
create index concurrently if not exists orders_simulated on orders (account_id, paid_at) where simulated = 1 or processor = 'test';
