-- The signed transfer that pays by x402, as network/payer/nonce: a transfer that was signed once pays once, whichever account and
-- checkout it was brought to. A charge shows the wallet that paid and its network.
alter table payments add column transfer text;
create unique index payments_of_transfers on payments (transfer);
alter table charges add column payer text;
alter table charges add column network text;
