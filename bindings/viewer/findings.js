/* What the checker says about the subject, and what an import left out. A finding that names a node
 * selects it. */
import { $, make, plain } from './dom.js';
import { Complaint } from './library.js';

const SEVERITIES = ['error', 'warning', 'canonical', 'info'];
const severityOf = (finding) => (SEVERITIES.includes(finding.severity) ? finding.severity : 'info');

function list(subject) {
  const check = () => (subject.model ?? subject.ani ?? subject.animation).check();
  const found = [...(subject.item?.notes ?? [])];
  try {
    found.push(...check());
  } catch (error) {
    const { what, where, expected, found: met } = Complaint.of(subject.name, error);
    found.push({ rule: '', severity: 'error', what, where, expected, found: met, node: null, element: null, stream: null });
  }
  return found.sort((a, b) => SEVERITIES.indexOf(severityOf(a)) - SEVERITIES.indexOf(severityOf(b)));
}

export function showFindings(subject, state) {
  const findings = list(subject);
  $('finding-count').textContent = findings.length > 0 ? plain(findings.length) : 'none';
  $('finding-count').className = findings.length > 0 ? severityOf(findings[0]) : 'clean';
  $('findings-box').open = findings.length > 0 && severityOf(findings[0]) === 'error';
  const items = findings.map((finding) => {
    const details = [finding.where, finding.expected && `expected ${finding.expected}`, finding.found && `found ${finding.found}`];
    const item = make('div', { className: `finding ${severityOf(finding)}`, data: { rule: finding.rule } },
      make('b', { title: severityOf(finding) }, finding.rule || '!'),
      make('span', {}, finding.what, make('small', {}, details.filter(Boolean).join(' · '))));
    const node = subject.nodeOf?.(finding) ?? (subject.nodes[finding.node] ? finding.node : -1);
    if (node >= 0) {
      const button = make('button', { type: 'button', className: 'text to-node', data: { node: String(node) } }, `node ${node} ${subject.nodes[node].name}`);
      button.addEventListener('click', () => state.set({ node }));
      item.append(button);
    }
    return item;
  });
  if (items.length === 0) items.push(make('p', { className: 'more' }, 'The checker has nothing to say.'));
  $('findings').replaceChildren(...items);
}
