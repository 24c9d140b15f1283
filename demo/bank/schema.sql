CREATE SCHEMA IF NOT EXISTS banorte;

CREATE TABLE IF NOT EXISTS banorte.acciones_aplicadas (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  idempotency_key VARCHAR(128) NOT NULL UNIQUE,
  tipo_accion VARCHAR(64) NOT NULL,
  cliente_id VARCHAR(64) NOT NULL,
  payload JSONB NOT NULL,
  creado_en TIMESTAMP WITH TIME ZONE DEFAULT NOW()
);

CREATE TABLE IF NOT EXISTS banorte.clientes (
  id VARCHAR(64) PRIMARY KEY,
  nombre TEXT NOT NULL,
  disponible NUMERIC(14, 2) NOT NULL CHECK (disponible >= 0)
);

-- A card carries at most one plan, and a plan is whole or absent.
CREATE TABLE IF NOT EXISTS banorte.tarjetas (
  id VARCHAR(64) PRIMARY KEY,
  cliente_id VARCHAR(64) NOT NULL REFERENCES banorte.clientes,
  alias TEXT NOT NULL,
  saldo NUMERIC(14, 2) NOT NULL CHECK (saldo >= 0),
  limite NUMERIC(14, 2) NOT NULL,
  pago_minimo NUMERIC(14, 2) NOT NULL,
  tasa_ordinaria NUMERIC(5, 2) NOT NULL,
  vencida_desde DATE,
  plan_meses SMALLINT,
  plan_tasa NUMERIC(5, 2),
  plan_pago NUMERIC(14, 2),
  CHECK (num_nulls(plan_meses, plan_tasa, plan_pago) IN (0, 3))
);

CREATE TABLE IF NOT EXISTS banorte.apartados (
  id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
  cliente_id VARCHAR(64) NOT NULL REFERENCES banorte.clientes,
  nombre VARCHAR(60) NOT NULL,
  monto NUMERIC(14, 2) NOT NULL CHECK (monto > 0),
  creado_en TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT NOW()
);

INSERT INTO banorte.clientes (id, nombre, disponible) VALUES
  ('beto', 'Beto Ruiz', 9200.00),
  ('carla', 'Carla Soto', 31500.00)
ON CONFLICT (id) DO NOTHING;

-- The story says "12 days of arrears" whenever somebody starts it, also weeks after
-- the database was made; a card whose arrears were settled stays settled.
INSERT INTO banorte.tarjetas
  (id, cliente_id, alias, saldo, limite, pago_minimo, tasa_ordinaria, vencida_desde)
VALUES
  ('tc_4821', 'beto', 'Tarjeta Oro', 48350.00, 60000.00, 2417.50, 58.90,
   CURRENT_DATE - 12),
  ('tc_7710', 'beto', 'Tarjeta Clásica', 0.00, 15000.00, 0.00, 64.50, NULL),
  ('tc_9130', 'carla', 'Tarjeta Clásica', 6120.40, 20000.00, 306.02, 64.50, NULL)
ON CONFLICT (id) DO UPDATE SET vencida_desde = excluded.vencida_desde
  WHERE banorte.tarjetas.vencida_desde IS NOT NULL;
