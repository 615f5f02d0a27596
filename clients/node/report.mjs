// One line for each check, and an exit code that tells whether all were good.
let passed = 0;
let failed = 0;

// check runs body and prints what became of it.
export async function check(name, body) {
  try {
    await body();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${brief(error)}`);
  }
}

// finish prints the sum and ends the process.
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

// brief puts an error on one line.
function brief(error) {
  const text = `${error}`.replaceAll(/\s+/g, ' ');
  return text.length > 1000 ? `${text.slice(0, 1000)}...` : text;
}
