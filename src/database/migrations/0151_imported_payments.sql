-- How many periods were charged elsewhere, so that the count of payments can be checked against the orders that were paid here.
alter table subscriptions add column imported_payments_count integer not null default 0;
