-- Why a payment failed, as one word of ours, and whether a person began the try.
alter table payments add column failure_code text;
alter table payments add column by_hand integer not null default 0;
alter table charges add column failure_code text;

-- What the unpaid period of a subscription costs, how many tries failed, and why the last one did.
alter table subscriptions add column amount_due bigint;
alter table subscriptions add column failed_payments_count integer not null default 0;
alter table subscriptions add column last_payment_error text;
alter table subscriptions add column last_payment_error_code text;

-- How an order was paid after a try had failed.
alter table orders add column recovered_by text;

update subscriptions set
  amount_due = (
    select tried.amount from orders as tried
    where tried.account_id = subscriptions.account_id and tried.subscription = subscriptions.id and tried.status = 'failed'
    order by tried.id desc limit 1
  ),
  failed_payments_count = (
    select count(*) from orders as tried
    where tried.account_id = subscriptions.account_id and tried.subscription = subscriptions.id
    and tried.status = 'failed' and tried.created_at >= subscriptions.unpaid_since
  ),
  last_payment_error = (
    select charges.failure_message from orders as tried
    join charges on charges.account_id = tried.account_id and charges.id = tried.charge
    where tried.account_id = subscriptions.account_id and tried.subscription = subscriptions.id and tried.status = 'failed'
    order by tried.id desc limit 1
  )
where unpaid_since is not null;

-- What the page of money at risk sums: what is unpaid now, what was paid after all, and what was lost.
create index subscriptions_at_risk on subscriptions (account_id, currency, amount_due) where status in ('past_due', 'unpaid');
create index subscriptions_lost on subscriptions (account_id, ends_at, currency, amount_due)
  where status = 'canceled' and unpaid_since is not null;
create index invoices_at_risk on invoices (account_id, currency, amount) where status = 'past_due';
create index orders_recovered on orders (account_id, paid_at, currency, recovered_by, amount, amount_refunded)
  where recovered_by is not null;

-- The failed order whose payment a checkout tries again.
alter table checkouts add column retries text;
